export * from "./account.ts";
export * from "./dashboards.ts";
export * from "./data.ts";
export * from "./data-views.ts";
export * from "./files.ts";
export * from "./filter.ts";
export * from "./grid.ts";
export * from "./home.ts";
