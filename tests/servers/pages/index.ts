export { GBK_TEXT, largeChecksum, MIB } from "./bodies";
export {
  type PageServer,
  type PageServerOptions,
  type PageVisit,
  type Served,
  startPageServer,
} from "./server";
