export { type DemoModel, type DemoModelOptions, startDemoModel } from "./server";
