export { createApp, type DataApiDependencies } from "./app.ts";
