export { type AdminApiDependencies, createApp } from "./app.ts";
export { resetAdmin } from "./reset-admin.ts";
export { tellSealedValues } from "./tell-sealed-values.ts";
