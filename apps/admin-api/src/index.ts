export { type AdminApiDependencies, createApp } from "./app.ts";
