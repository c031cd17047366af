/** The texts of the workspace in English. */
export const workspace = {
  navigation: "Main",
  openMenu: "Open navigation",
  closeMenu: "Close navigation",
  findTable: "Find a table",
  noTable: "No table or view matches.",
  showAll: "Show all {count}",
  home: "Home",
  files: "Files",
  people: "People",
  reference: "API reference",
  account: "Account of {name}",
  signedInAs: "Signed in as",
  signOut: "Sign out",
  viewed: "Viewed workspace",
  viewedAs: "You see the workspace as <name></name>. Nothing can be changed.",
  stopViewing: "Back to the administration",
  skip: "Skip to content",
  hello: "Welcome, {name}",
  intro: "Everything that you may open.",
  loading: "Loading",
  retry: "Try again",
  tables: "Tables and views",
  dataViews: "DataViews",
  dashboards: "Dashboards",
  dataView: "DataView",
  dashboard: "Dashboard",
  name: "Name",
  schema: "Schema",
  rights: "You may",
  path: "Path",
  copy: "Copy as curl: {name}",
  copyCall: "Copy as MCP call: {name}",
  copied: "Copied",
  nothing: "Nothing yet",
  nothingText:
    "No table, view or dashboard is open to you. An administrator gives access to a role that you have.",
  nothingAdministrator:
    "No table is exposed yet. The API reference shows how to create a table and expose it.",
  READ: "read",
  CREATE: "create",
  UPDATE: "change",
  DELETE: "delete",
};

/** The texts of the home page's lists in English. */
export const home = {
  pinned: "Pinned",
  recent: "Opened last",
  pin: "Pin {name} to your home page",
  unpin: "Remove {name} from the pinned ones",
};

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

/** The texts that lists and forms of every page share in English. */
export const manage = {
  loading: "Loading",
  notLoaded: "The list cannot be loaded.",
  retry: "Try again",
  more: "Show more",
  search: "Search",
  nothingFound: "Nothing matches.",
  save: "Save",
  saved: "Saved",
  cancel: "Cancel",
  close: "Close",
  create: "Create",
  delete: "Delete",
  edit: "Edit",
  actions: "Actions",
  name: "Name",
  description: "Description",
  none: "none",
  never: "never",
  changedMeanwhile:
    "Somebody else has changed this meanwhile. Reload to see it; what you typed stays until then.",
  reload: "Reload",
};
