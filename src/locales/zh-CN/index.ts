import { about } from "./about";
import { attention } from "./attention";
import { common } from "./common";
import { consent } from "./consent";
import { data } from "./data";
import { errors } from "./errors";
import { files } from "./files";
import { install } from "./install";
import { log } from "./log";
import { models } from "./models";
import { popup } from "./popup";
import { powers } from "./powers";
import { scripts } from "./scripts";

/** All messages in Simplified Chinese, by the keys of the English ones. */
export const zhCN = {
  ...common,
  ...errors,
  ...scripts,
  ...powers,
  ...models,
  ...install,
  ...popup,
  ...about,
  ...attention,
  ...log,
  ...consent,
  ...files,
  ...data,
} as const;
