export { type CompiledRules, compileRules, serializeRules, type UserRules } from "./compile";
export { canMeet } from "./overlap";
export { patternForPage } from "./page-pattern";
export type { Registration } from "./registration";
export { type Rule, reviveRules, type SerializedRules, testRules } from "./runtime-test";
