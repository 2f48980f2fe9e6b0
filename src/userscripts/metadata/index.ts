export { type ParsedUserscript, parseUserscript } from "./parse";
export { type Problem, type ProblemCode, type ProblemParams, problem, type Severity } from "./problems";
export type {
  Antifeature,
  InjectInto,
  RawEntry,
  RunAt,
  SandboxMode,
  ScriptMetadata,
  ScriptRequire,
  ScriptResource,
} from "./types";
export { compareVersions } from "./version";
