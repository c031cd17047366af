export { readConfig } from "./config.ts";
export { type Standalone, startStandalone } from "./start.ts";
