export { type AdminApiDependencies, createApp } from "./app.ts";
export { reportSealedValues } from "./report-sealed-values.ts";
export { resetAdmin } from "./reset-admin.ts";
