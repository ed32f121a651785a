// `rtxbench worker`: the process that holds the device. JSON lines in on stdin, JSON lines out on file descriptor 3.
//                                                                 out: {"ready":{"pid":PID}} once, at the start
//   in:  {"enumerate":{}}                                        out:
//   {"devices":[...],"reasons":{backend:text},"software":{...}} in: {"run":{"case":ID,"device":DEVICE_INFO,"parameters":{...}}}
//   out: any number of {"progress":{...}}, then
//                                                                 {"record":{...},"replace_worker":bool}
// Ends at end of file on stdin, and with its parent.
#pragma once

#include "rtxbench/registry.hpp"

namespace rtxbench {

[[nodiscard]] int worker_main(const Registry& registry);

}  // namespace rtxbench
