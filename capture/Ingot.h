// Everything a user of Ingot needs.
#pragma once

#include "ingot/capture/Aot.h"
#include "ingot/capture/CustomOp.h"
#include "ingot/capture/Device.h"
#include "ingot/capture/Executable.h"
#include "ingot/capture/Gradients.h"
#include "ingot/capture/Graph.h"
#include "ingot/capture/Ops.h"
#include "ingot/capture/Scope.h"
#include "ingot/capture/Tensor.h"
#include "ingot/capture/Transforms.h"
