/** The texts of the frame of the administration in English. */
export const administration = {
  title: "Administration",
  workspace: "Workspace",
  pages: {
    home: "Overview",
    people: "People",
    access: "Access",
    structure: "Structure",
    sql: "SQL",
    dataViews: "DataViews",
    dashboards: "Dashboards",
    workflows: "Workflows",
    mcp: "Agents (MCP)",
    audit: "Audit log",
    settings: "Settings",
    reference: "API",
  },
};
