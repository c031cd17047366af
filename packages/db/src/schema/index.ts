export * from "./core.ts";
export * from "./identity.ts";
export * from "./workflows.ts";
