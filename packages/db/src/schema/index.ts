export * from "./core.ts";
export * from "./workflows.ts";
