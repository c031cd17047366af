export { type Standalone, startStandalone } from "./start.ts";
