export { type AdminApiDependencies, createApp } from "./app.ts";
export { tellSealedValues } from "./tell-sealed-values.ts";
