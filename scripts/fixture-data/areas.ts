import { consentsArea } from "./consents";
import { conversationsArea, unfinishedArea } from "./conversations";
import { filesArea } from "./files";
import { logArea } from "./log";
import { modelsArea } from "./models";
import { binArea, scriptsArea } from "./scripts";
import { settingsArea } from "./settings";
import type { Area } from "./stage";
import { valuesArea } from "./values";

/** All kinds of data that a fixture holds, in the order in which they are made. */
export const AREAS: readonly Area[] = [
  scriptsArea,
  valuesArea,
  modelsArea,
  consentsArea,
  filesArea,
  logArea,
  conversationsArea,
  unfinishedArea,
  binArea,
  settingsArea,
];
