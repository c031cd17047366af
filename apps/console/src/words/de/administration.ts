import type { administration as english } from "../en/administration.ts";

/** The texts of the frame of the administration in German. */
export const administration: typeof english = {
  title: "Verwaltung",
  workspace: "Arbeitsbereich",
  pages: {
    home: "Überblick",
    people: "Personen",
    access: "Zugriff",
    structure: "Struktur",
    sql: "SQL",
    dataViews: "DataViews",
    dashboards: "Dashboards",
    workflows: "Workflows",
    mcp: "Agenten (MCP)",
    audit: "Protokoll",
    settings: "Einstellungen",
    reference: "API",
  },
};
