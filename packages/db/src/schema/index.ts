export * from "./core.ts";
export * from "./files.ts";
export * from "./identity.ts";
export * from "./saved-views.ts";
export * from "./workflows.ts";
