// Generated from the service's OpenAPI document by `npm run types:client`.

export type ActionPermission = {
  action: "READ" | "CREATE" | "UPDATE" | "DELETE";
  isGranted: boolean;
  isExposed: boolean;
  grantIds: string[];
  everyRow: boolean;
  fields: FieldPermission[];
};

export type AuditLogEntry = {
  id: string;
  occurredAt: string;
  actorUserId: string | null;
  actorTokenId: string | null;
  action: string;
  targetKind: string;
  targetId: string | null;
  changedFields: string[];
  outcome: "SUCCEEDED" | "FAILED";
  address: string | null;
  requestId: string | null;
  names: {
    actor: string | null;
    token: string | null;
    target: string | null;
    parent: string | null;
    parentId: string | null;
    action: "READ" | "CREATE" | "UPDATE" | "DELETE" | null;
    relation: {
      schema: string;
      name: string;
      kind: "TABLE" | "VIEW";
    } | null;
  };
};

export type AuthProvider = {
  id: string;
  key: string;
  kind: "google" | "github" | "oidc";
  name: string;
  issuer: string;
  clientId: string;
  allowedDomains: string[];
  roleId: string | null;
  enabled: boolean;
  createdAt: string;
};

export type CalendarPresentation = {
  version: 1;
  layout: "calendar";
  start: string;
  end?: string | undefined;
  title: string;
  color?: string | undefined;
};

export type CardsPresentation = {
  version: 1;
  layout: "cards";
  title: string;
  subtitle?: string | undefined;
  image?: string | undefined;
  badges?: string[] | undefined;
};

export type ChangePreview = {
  sql: string[];
  locks: ({
    schema: string;
    table: string;
    mode: "SHARE UPDATE EXCLUSIVE" | "SHARE" | "SHARE ROW EXCLUSIVE" | "ACCESS EXCLUSIVE";
    blocks: "READS_AND_WRITES" | "WRITES" | "SCHEMA_CHANGES";
    work: "NONE" | "SCAN" | "REWRITE";
    rowEstimate: number | null;
    bytes: number | null;
  })[];
  failingRows: ({
    path: string;
    code: string;
    message: string;
    rows: number | null;
    keys: string[][];
  })[];
  losses: ({
    path: string;
    object: string;
    name: string;
    note: string | null;
  })[];
  confirmations: {
    path: string;
    confirm: string;
  }[];
  notes: string[];
};

export type ChangedResource = Resource & ({
  uses: ({
    object: "dashboard" | "DataView" | "saved view" | "workflow";
    name: string;
  })[];
});

export type ChangedResourceColumn = ResourceColumn & ({
  uses: ({
    object: "dashboard" | "DataView" | "saved view" | "workflow";
    name: string;
  })[];
});

export type ChartPresentation = {
  version: 1;
  chart: "bar" | "stacked" | "line" | "area" | "donut";
  horizontal?: boolean | undefined;
};

export type CheckedWorkflowDefinition = {
  definition?: unknown;
  faults: WorkflowDefinitionFault[];
  secrets: string[];
};

export type ColumnColors = ({
  value: string | number | boolean | null;
  color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
} | {
  from?: string | number | undefined;
  to?: string | number | undefined;
  color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
})[] | null;

export type ColumnFormat = {
  type: "text";
} | {
  type: "number";
  decimals?: number | undefined;
  grouping?: boolean | undefined;
} | {
  type: "currency";
  currency: string;
  decimals?: number | undefined;
} | {
  type: "percent";
  whole?: 1 | 100 | undefined;
  decimals?: number | undefined;
} | {
  type: "bytes";
} | {
  type: "duration";
  unit?: "milliseconds" | "seconds" | "minutes" | "hours" | "days" | undefined;
} | {
  type: "rating";
  max?: number | undefined;
} | {
  type: "date";
  style?: "short" | "medium" | "long" | undefined;
} | {
  type: "datetime";
  style?: "short" | "medium" | "long" | undefined;
  seconds?: boolean | undefined;
} | {
  type: "time";
  seconds?: boolean | undefined;
} | {
  type: "boolean";
  true?: string | undefined;
  false?: string | undefined;
} | {
  type: "email";
} | {
  type: "url";
} | {
  type: "phone";
} | {
  type: "image";
} | {
  type: "file";
} | {
  type: "markdown";
} | {
  type: "code";
  language?: string | undefined;
} | {
  type: "json";
} | null;

export type ConfigurationApply = {
  planId: string;
  state: "APPLIED" | "APPLYING";
  applyId: string | null;
  steps: number;
  isRepeated: boolean;
};

export type ConfigurationDrift = {
  lastApply: {
    id: string;
    appliedAt: string;
    appliedBy: {
      id: string;
      email: string;
    } | null;
    source: {
      commit: string | null;
      url: string | null;
    };
    steps: number;
  } | null;
  parts: ("settings" | "types" | "sql" | "tables" | "views" | "roles" | "templates" | "providers" | "workflows" | "data-views" | "dashboards")[];
  files: ({
    path: string;
    before: string | null;
    after: string | null;
    kind: "NOT_IN_FILES" | "MISSING" | "CHANGED";
  })[];
};

export type ConfigurationFiles = { [name: string]: string };

export type ConfigurationPlan = {
  planId: string;
  state: "PLANNING" | "PLANNED" | "APPLYING" | "APPLIED" | "FAILED";
  digest: string;
  steps: ({
    kind: "elsewhere.update" | "schema.create" | "extension.create" | "type.create" | "type.update" | "type.drop" | "sql.create" | "sql.replace" | "sql.drop" | "table.create" | "table.alter" | "table.drop" | "view.create" | "view.rename" | "view.replace" | "view.drop" | "view.suspend" | "view.restore" | "resource.update" | "role.create" | "role.update" | "role.delete" | "grants.set" | "template.create" | "template.update" | "template.delete" | "provider.create" | "provider.update" | "provider.delete" | "workflow.create" | "workflow.update" | "workflow.publish" | "workflow.grant" | "workflow.enable" | "workflow.disable" | "workflow.delete" | "data-view.create" | "data-view.update" | "data-view.delete" | "dashboard.create" | "dashboard.update" | "dashboard.delete" | "settings.update";
    document: string;
    line: number | null;
    subject: string;
    sql: string[];
    changes: ({
      field: string;
      before: string | null;
      after: string | null;
      diff: string | null;
      leftOut: number;
    })[];
    moreChanges: number;
    locks: ({
      schema: string;
      table: string;
      mode: "SHARE UPDATE EXCLUSIVE" | "SHARE" | "SHARE ROW EXCLUSIVE" | "ACCESS EXCLUSIVE";
      blocks: "READS_AND_WRITES" | "WRITES" | "SCHEMA_CHANGES";
      work: "NONE" | "SCAN" | "REWRITE";
      rowEstimate: number | null;
      bytes: number | null;
    })[];
    losses: ({
      path: string;
      object: string;
      name: string;
      note: string | null;
    })[];
    failing: ({
      path: string;
      code: string;
      message: string;
      rows: number | null;
      keys: string[][];
    })[];
    needsConsent: string[];
    isOptional: boolean;
    sessionOnly: boolean;
    notes: string[];
  })[];
  missing: {
    document: string;
    subject: string;
    message: string;
  }[];
  notes: {
    document: string;
    subject: string;
    message: string;
  }[];
  notInTransaction: string[];
  attempts: number;
  done: number | null;
  current: {
    kind: "elsewhere.update" | "schema.create" | "extension.create" | "type.create" | "type.update" | "type.drop" | "sql.create" | "sql.replace" | "sql.drop" | "table.create" | "table.alter" | "table.drop" | "view.create" | "view.rename" | "view.replace" | "view.drop" | "view.suspend" | "view.restore" | "resource.update" | "role.create" | "role.update" | "role.delete" | "grants.set" | "template.create" | "template.update" | "template.delete" | "provider.create" | "provider.update" | "provider.delete" | "workflow.create" | "workflow.update" | "workflow.publish" | "workflow.grant" | "workflow.enable" | "workflow.disable" | "workflow.delete" | "data-view.create" | "data-view.update" | "data-view.delete" | "dashboard.create" | "dashboard.update" | "dashboard.delete" | "settings.update";
    subject: string;
  } | null;
  applyId: string | null;
  errors: ({
    code: string;
    message: string;
    path?: string | undefined;
    details?: { [name: string]: unknown } | undefined;
  })[] | null;
};

export type Dashboard = {
  id: string;
  name: string;
  description: string;
  icon: ReadingIcon;
  position: number;
  refreshSeconds: number | null;
  roleIds: string[];
  parameters: Parameter[];
  panels: Panel[];
  lost: ({
    field: string;
    reason: "TYPE" | "COLLATION" | "LOCALE" | "LABEL";
    panel: string;
  })[];
  createdAt: string;
  updatedAt: string;
};

export type DataView = {
  id: string;
  name: string;
  description: string;
  icon: ReadingIcon;
  position: number;
  resourceId: string;
  fields: string[] | null;
  where: { [name: string]: unknown } | null;
  orderBy: string[];
  limit: number | null;
  presentation: Presentation;
  roleIds: string[];
  lost: ({
    field: string;
    reason: "TYPE" | "COLLATION" | "LOCALE" | "LABEL";
  })[];
  createdAt: string;
  updatedAt: string;
};

export type DocumentTemplate = {
  id: string;
  kind: "DOCUMENT";
  key: string;
  language: string;
  title: string;
  format: "HTML" | "TEXT" | "CSV";
  source: string;
  sample: { [name: string]: unknown };
  updatedAt: string;
};

export type DoubtfulWorkflow = {
  id: string;
  name: string;
  count: number;
  first: WorkflowDefinitionFault & unknown;
};

export type FieldPermission = {
  name: string;
  grantIds: string[];
  everyRow: boolean;
};

export type FigurePresentation = {
  version: 1;
  goodWhen?: "UP" | "DOWN" | undefined;
  color?: string | undefined;
};

export type ForeignKeySummary = {
  name: string;
  schema: string;
  table: string;
  columns: string[];
  targetSchema: string;
  targetTable: string;
  targetColumns: string[];
  onDelete: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT";
};

export type FormPresentation = {
  version: 1;
  layout: "form";
  use: "CREATE" | "EDIT" | "BOTH";
  sections: ({
    title: string;
    help?: string | undefined;
    fields: ({
      field: string;
      help?: string | undefined;
      default?: string | number | boolean | null | undefined;
    })[];
  })[];
};

export type Grant = {
  id: string;
  roleId: string;
  resourceId: string;
  action: "READ" | "CREATE" | "UPDATE" | "DELETE";
  fields: string[] | null;
  rowFilter?: unknown;
  check?: unknown;
  presets: { [name: string]: unknown };
  effective: boolean;
  reason: string | null;
  lost: ({
    part: "fields" | "rowFilter" | "check" | "presets";
    name: string;
    reason: "DROPPED" | "MOVED" | "TYPE" | "COLLATION" | "LOCALE" | "LABEL" | "VALUE" | "UNKNOWN";
  })[];
};

export type Invitation = {
  id: string;
  email: string;
  name: string;
  language: string | null;
  state: "open" | "accepted" | "revoked" | "expired";
  roles: {
    id: string;
    name: string;
  }[];
  invitedBy: string | null;
  inviter: string | null;
  userId: string | null;
  createdAt: string;
  expiresAt: string;
};

export type InvokeGrant = {
  roleId: string;
  roleName: string;
};

export type KanbanPresentation = {
  version: 1;
  layout: "kanban";
  group: string;
  title: string;
  fields?: string[] | undefined;
  order?: string | undefined;
  color?: string | undefined;
};

export type MailTemplate = {
  id: string;
  kind: "MAIL";
  key: "auth.reset" | "auth.registered" | "auth.verify" | "auth.invite" | "auth.email_change" | "auth.email_changed" | "auth.email_taken" | "auth.new_administrator" | "workflow.failures";
  language: string;
  subject: string;
  text: string;
  html: string | null;
  updatedAt: string;
  variables: string[];
  builtIn: {
    subject: string;
    text: string;
    html: string | null;
  } | null;
};

export type ManagedDocument = {
  part: "settings" | "types" | "sql" | "tables" | "views" | "roles" | "templates" | "providers" | "workflows" | "data-views" | "dashboards";
  names: string[];
  path: string;
};

export type McpCall = {
  id: string;
  at: string;
  userId: string;
  userName: string | null;
  tokenId: string;
  tokenName: string | null;
  clientName: string | null;
  method: string;
  tool: string | null;
  outcome: "SUCCEEDED" | "REFUSED" | "FAILED";
  code: string | null;
  durationMs: number;
  rows: number | null;
  bytes: number | null;
  resource: string | null;
};

export type McpCallEvent = {
  event: "calls";
  id: string;
  data: McpCall[];
};

export type OpenDashboard = {
  id: string;
  name: string;
  description: string;
  icon: ReadingIcon;
  refreshSeconds: number | null;
  timeZone: string;
  parameters: OpenParameter[];
  panels: OpenPanel[];
};

export type OpenDataView = {
  id: string;
  name: string;
  description: string;
  icon: ReadingIcon;
  resource: {
    id: string;
    schema: string;
    name: string;
    kind: "TABLE" | "VIEW";
    label: string | null;
  };
  orderBy: string[];
  presentation: VisiblePresentation;
  fields: ({
    name: string;
    dataType: string;
    scale?: number | undefined;
    values: string[] | null;
    label: string | null;
    format: {
      type: "text";
    } | {
      type: "number";
      decimals?: number | undefined;
      grouping?: boolean | undefined;
    } | {
      type: "currency";
      currency: string;
      decimals?: number | undefined;
    } | {
      type: "percent";
      whole?: 1 | 100 | undefined;
      decimals?: number | undefined;
    } | {
      type: "bytes";
    } | {
      type: "duration";
      unit?: "milliseconds" | "seconds" | "minutes" | "hours" | "days" | undefined;
    } | {
      type: "rating";
      max?: number | undefined;
    } | {
      type: "date";
      style?: "short" | "medium" | "long" | undefined;
    } | {
      type: "datetime";
      style?: "short" | "medium" | "long" | undefined;
      seconds?: boolean | undefined;
    } | {
      type: "time";
      seconds?: boolean | undefined;
    } | {
      type: "boolean";
      true?: string | undefined;
      false?: string | undefined;
    } | {
      type: "email";
    } | {
      type: "url";
    } | {
      type: "phone";
    } | {
      type: "image";
    } | {
      type: "file";
    } | {
      type: "markdown";
    } | {
      type: "code";
      language?: string | undefined;
    } | {
      type: "json";
    } | null;
    colors: ({
      value: string | number | boolean | null;
      color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
    } | {
      from?: string | number | undefined;
      to?: string | number | undefined;
      color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
    })[] | null;
    titles?: { [name: string]: string } | undefined;
  })[];
  rows: { [name: string]: unknown }[];
  groups?: ViewGroup[] | undefined;
  summaries?: { [name: string]: unknown } | undefined;
  presets?: {
    create: string[];
    update: string[];
  } | undefined;
};

export type OpenPanel = {
  id: string;
  title: string;
  kind: "FIGURE" | "CHART" | "PIVOT" | "LIST" | "TEXT";
  layout: PanelLayout;
  presentation: FigurePresentation | ChartPresentation | PivotPresentation | TablePresentation | TextPresentation;
  resource?: {
    id: string;
    schema: string;
    name: string;
    kind: "TABLE" | "VIEW";
    label: string | null;
  } | undefined;
  names?: string[] | undefined;
  terms?: PanelTerms | undefined;
  pivot?: {
    rows: string[];
    columns: string[];
  } | undefined;
  fields?: ({
    name: string;
    dataType: string;
    scale?: number | undefined;
    values: string[] | null;
    label: string | null;
    format: {
      type: "text";
    } | {
      type: "number";
      decimals?: number | undefined;
      grouping?: boolean | undefined;
    } | {
      type: "currency";
      currency: string;
      decimals?: number | undefined;
    } | {
      type: "percent";
      whole?: 1 | 100 | undefined;
      decimals?: number | undefined;
    } | {
      type: "bytes";
    } | {
      type: "duration";
      unit?: "milliseconds" | "seconds" | "minutes" | "hours" | "days" | undefined;
    } | {
      type: "rating";
      max?: number | undefined;
    } | {
      type: "date";
      style?: "short" | "medium" | "long" | undefined;
    } | {
      type: "datetime";
      style?: "short" | "medium" | "long" | undefined;
      seconds?: boolean | undefined;
    } | {
      type: "time";
      seconds?: boolean | undefined;
    } | {
      type: "boolean";
      true?: string | undefined;
      false?: string | undefined;
    } | {
      type: "email";
    } | {
      type: "url";
    } | {
      type: "phone";
    } | {
      type: "image";
    } | {
      type: "file";
    } | {
      type: "markdown";
    } | {
      type: "code";
      language?: string | undefined;
    } | {
      type: "json";
    } | null;
    colors: ({
      value: string | number | boolean | null;
      color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
    } | {
      from?: string | number | undefined;
      to?: string | number | undefined;
      color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
    })[] | null;
    titles?: { [name: string]: string } | undefined;
  })[] | undefined;
  rows?: { [name: string]: unknown }[] | undefined;
  cut?: true | undefined;
  filled?: boolean | undefined;
  totals?: {
    rows: { [name: string]: unknown }[];
    columns: { [name: string]: unknown }[];
    all: { [name: string]: unknown };
  } | undefined;
  figure?: {
    value?: unknown;
    previous?: unknown;
  } | undefined;
  sparkline?: {
    bucket: string;
    value?: unknown;
  }[] | undefined;
  markdown?: string | undefined;
  canDrill?: boolean | undefined;
  more?: string[] | undefined;
  error?: {
    code: string;
    message: string;
  } | undefined;
  meta: {
    asOf: string;
  };
};

export type OpenParameter = {
  name: string;
  label: string;
  kind: "PERIOD" | "VALUE" | "PERSON";
  multiple: boolean;
  value?: "TODAY" | "YESTERDAY" | "LAST_7_DAYS" | "LAST_30_DAYS" | "LAST_90_DAYS" | "LAST_12_MONTHS" | "THIS_WEEK" | "THIS_MONTH" | "LAST_MONTH" | "THIS_QUARTER" | "THIS_YEAR" | "LAST_YEAR" | {
    from: string;
    until: string;
  } | unknown | null | undefined;
  from?: string | undefined;
  until?: string | undefined;
};

export type Panel = {
  id: string;
  title: string;
  kind: "FIGURE" | "CHART" | "PIVOT" | "LIST" | "TEXT";
  resourceId: string | null;
  layout: PanelLayout;
  bindings: {
    parameter: string;
    field: string;
  }[];
  definition: { [name: string]: unknown };
  presentation: { [name: string]: unknown };
};

export type PanelLayout = {
  x: number;
  y: number;
  w: number;
  h: number;
};

export type PanelTerms = {
  groups: ({
    name: string;
    field: string;
    unit: "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute" | null;
  })[];
  aggregates: ({
    name: string;
    apply: "count" | "count_distinct" | "sum" | "avg" | "min" | "max";
    field: string | null;
  })[];
};

export type Parameter = {
  name: string;
  label: string;
  kind: "PERIOD" | "VALUE" | "PERSON";
  resourceId?: string | null | undefined;
  field?: string | null | undefined;
  multiple?: boolean | undefined;
  default?: unknown;
};

export type Period = "TODAY" | "YESTERDAY" | "LAST_7_DAYS" | "LAST_30_DAYS" | "LAST_90_DAYS" | "LAST_12_MONTHS" | "THIS_WEEK" | "THIS_MONTH" | "LAST_MONTH" | "THIS_QUARTER" | "THIS_YEAR" | "LAST_YEAR" | {
  from: string;
  until: string;
} | null;

export type PermissionExplanation = {
  outcome: "ALLOWED" | "DENIED";
  refusal: {
    stage: "PARSE" | "AUTHENTICATE" | "PLAN" | "AUTHORIZE" | "COMPILE" | "BIND" | "ROW";
    status: number;
    errors: ({
      code: string;
      message: string;
      path?: string | undefined;
      details?: { [name: string]: unknown } | undefined;
      reason: string | null;
    })[];
  } | null;
  action: "READ" | "CREATE" | "UPDATE" | "DELETE" | null;
  roles: {
    id: string;
    name: string;
  }[];
  grants: (Grant & {
    roleName: string;
  })[];
  row: {
    exists: boolean;
    grants: {
      id: string;
      roleName: string;
      passes: boolean;
    }[];
  } | null;
  relations: ({
    resourceId: string;
    schema: string;
    name: string;
    grants: (Grant & {
      roleName: string;
    })[];
    everyRow: boolean;
    fields: FieldPermission[];
    hiddenFields: string[];
  })[];
  sql: string | null;
  parameters: ({
    source: string;
    value: string | null;
  })[];
};

export type PivotPresentation = {
  version: 1;
  totals?: boolean | undefined;
};

export type Presentation = TablePresentation | CardsPresentation | KanbanPresentation | CalendarPresentation | FormPresentation;

export type PreviewedAnswer = {
  status: number;
  contentType: string | null;
  body: string;
};

export type ReadingIcon = "archive" | "banknote" | "bell" | "book-open" | "box" | "briefcase" | "building" | "calendar" | "car" | "chart-column" | "chart-line" | "chart-pie" | "clipboard-list" | "clock" | "credit-card" | "file-text" | "flag" | "folder" | "gauge" | "gift" | "globe" | "headphones" | "heart" | "house" | "inbox" | "kanban" | "key" | "layers" | "layout-dashboard" | "layout-grid" | "mail" | "map" | "map-pin" | "package" | "phone" | "receipt" | "shield" | "shopping-cart" | "square-check-big" | "star" | "table" | "tag" | "truck" | "users" | "wrench" | null;

export type ResealedValues = SealedValues & {
  resealed: number;
};

export type Resource = ResourceSummary & ({
  description: string | null;
  title: string | null;
  proposedTitle: string | null;
  comment: string | null;
  primaryKey: string[];
  uniqueKeys: string[][];
  inherited: boolean;
  rowSecurity: "APPLIED" | "IGNORED" | null;
  columns: ({
    name: string;
    dataType: string;
    nullable: boolean;
    hasDefault: boolean;
    identity: "ALWAYS" | "BY_DEFAULT" | null;
    generated: boolean;
  })[];
  relations: ({
    name: string;
    kind: "ONE" | "MANY";
    foreignKey: "OWN" | "TARGET" | "JUNCTION";
    target: {
      id: string;
      schema: string;
      name: string;
    };
    junction: {
      id: string;
      schema: string;
      name: string;
    } | null;
    columns: {
      own: string;
      target: string;
    }[];
  })[];
  tableBytes: number | null;
  indexBytes: number | null;
});

export type ResourceColumn = {
  name: string;
  dataType: string;
  nullable: boolean;
  hasDefault: boolean;
  identity: "ALWAYS" | "BY_DEFAULT" | null;
  generated: boolean;
  comment: string | null;
  values: string[] | null;
  isFile: boolean;
  label: string | null;
  format: ColumnFormat;
  colors: ColumnColors;
  relationName: string | null;
  relation: {
    name: string;
    defaultName: string;
  } | null;
  source: {
    resourceId: string;
    schema: string;
    table: string;
    column: string;
  } | null;
};

export type ResourcePermissions = {
  resourceId: string;
  schema: string;
  name: string;
  kind: "TABLE" | "VIEW";
  exposedMethods: ("GET" | "POST" | "PATCH" | "DELETE")[];
  actions: ActionPermission[];
  grants: (Grant & {
    roleName: string;
  })[];
};

export type ResourceSummary = {
  id: string;
  schema: string;
  name: string;
  kind: "TABLE" | "VIEW";
  relationKind: "TABLE" | "PARTITIONED_TABLE" | "FOREIGN_TABLE" | "VIEW" | "MATERIALIZED_VIEW";
  label: string | null;
  exposedMethods: ("GET" | "POST" | "PATCH" | "DELETE")[];
  history: boolean;
  junction: boolean;
  rowEstimate: number | null;
};

export type Role = {
  id: string;
  name: string;
  description: string;
  apiAccess: boolean;
  tokenCreation: boolean;
  isAdministrators: boolean;
  memberCount: number;
  createdAt: string;
};

export type RoleMember = {
  userId: string;
  email: string;
  name: string;
  active: boolean;
  createdAt: string;
};

export type Schema = {
  name: string;
  comment: string | null;
  tables: number;
  views: number;
};

export type SealedValues = {
  current: number;
  other: number;
  unreadable: number;
  unreadableValues: {
    table: string;
    id: string;
  }[];
};

export type Session = {
  id: string;
  method: string;
  address: string | null;
  userAgent: string | null;
  createdAt: string;
  expiresAt: string;
  current: boolean;
};

export type Setting = {
  key: string;
  value?: unknown;
  default?: unknown;
  isSet: boolean;
  sessionOnly: boolean;
  description: string;
  schema: { [name: string]: unknown };
};

export type SqlAnswer = {
  id: string;
  durationMs: number;
  results: SqlResult[];
  notices: {
    severity: string;
    message: string;
  }[];
};

export type SqlRequest = {
  id?: string | undefined;
  sql: string;
  parameters?: (string | number | boolean | null)[] | undefined;
  readOnly?: boolean | undefined;
  rowsMax?: number | undefined;
  timeoutMs?: number | undefined;
};

export type SqlResult = {
  command: string;
  columns: {
    name: string;
    type: string;
  }[];
  rows: unknown[][];
  rowCount: number | null;
  truncated: boolean;
};

export type StartedRun = {
  run: string;
};

export type StoredSecret = {
  name: string;
  description: string;
  createdAt: string;
  updatedAt: string;
  usedBy: string[];
};

export type Table = {
  resourceId: string;
  schema: string;
  name: string;
  kind: "TABLE" | "PARTITIONED_TABLE" | "FOREIGN_TABLE";
  comment: string | null;
  definition: {
    name: string;
    columns: ({
      name: string;
      dataType: string;
      primaryKey?: boolean | undefined;
      default?: string | undefined;
      identity?: "ALWAYS" | "BY_DEFAULT" | undefined;
      generated?: string | undefined;
      nullable?: boolean | undefined;
      check?: string | undefined;
      checkMessage?: string | undefined;
      foreignKey?: {
        targetSchema: string;
        targetTable: string;
        targetColumn: string;
        onDelete?: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT" | undefined;
      } | undefined;
    })[];
  };
  columns: ({
    name: string;
    dataType: string;
    nullable: boolean;
    default: string | null;
    identity: "ALWAYS" | "BY_DEFAULT" | null;
    generatedAs: string | null;
    comment: string | null;
  })[];
  primaryKey: {
    name: string;
    columns: string[];
  } | null;
  uniques: {
    name: string;
    columns: string[];
  }[];
  exclusions: {
    name: string;
    definition: string;
  }[];
  checks: ({
    name: string;
    columns: string[];
    expression: string;
    message: string | null;
    validated: boolean;
  })[];
  foreignKeys: ({
    name: string;
    columns: string[];
    targetSchema: string;
    targetTable: string;
    targetColumns: string[];
    onDelete: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT";
    onUpdate: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT";
    validated: boolean;
  })[];
  referencedBy: {
    name: string;
    schema: string;
    table: string;
    columns: string[];
    targetColumns: string[];
  }[];
  indexes: ({
    name: string;
    unique: boolean;
    method: string;
    keys: string[];
    columns: string[];
    where: string | null;
    definition: string;
    valid: boolean;
    bytes: number | null;
  })[];
  textSearch: ({
    column: string;
    indexes: ({
      name: string;
      configuration: string | null;
    })[];
    createIndex: string | null;
  })[];
  rowEstimate: number | null;
  tableBytes: number | null;
  indexBytes: number | null;
};

export type TableAlteration = {
  changes: ({
    name: string;
    dataType: string;
    default?: string | undefined;
    identity?: "ALWAYS" | "BY_DEFAULT" | undefined;
    generated?: string | undefined;
    nullable?: boolean | undefined;
    check?: string | undefined;
    checkMessage?: string | undefined;
    foreignKey?: {
      targetSchema: string;
      targetTable: string;
      targetColumn: string;
      onDelete?: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT" | undefined;
    } | undefined;
    kind: "addColumn";
    comment?: string | null | undefined;
  } | {
    name: string;
    dataType: string;
    default?: string | undefined;
    identity?: "ALWAYS" | "BY_DEFAULT" | undefined;
    generated?: string | undefined;
    nullable?: boolean | undefined;
    check?: string | undefined;
    checkMessage?: string | undefined;
    foreignKey?: {
      targetSchema: string;
      targetTable: string;
      targetColumn: string;
      onDelete?: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT" | undefined;
    } | undefined;
    kind: "replaceColumn";
    comment?: string | null | undefined;
    confirm?: string | undefined;
  } | {
    kind: "changeColumn";
    column: string;
    dataType?: string | undefined;
    using?: string | undefined;
    nullable?: boolean | undefined;
    default?: string | null | undefined;
    identity?: "ALWAYS" | "BY_DEFAULT" | null | undefined;
    generated?: string | null | undefined;
    comment?: string | null | undefined;
    confirm?: string | undefined;
  } | {
    kind: "renameColumn";
    column: string;
    name: string;
  } | {
    kind: "dropColumn";
    column: string;
    cascade?: boolean | undefined;
    confirm?: string | undefined;
  } | {
    kind: "addPrimaryKey";
    columns: string[];
  } | {
    kind: "addUnique";
    name?: string | undefined;
    columns: string[];
    nullsNotDistinct?: boolean | undefined;
  } | {
    kind: "addCheck";
    name?: string | undefined;
    check: string;
    checkMessage?: string | undefined;
  } | {
    kind: "changeCheck";
    constraint: string;
    checkMessage: string | null;
  } | {
    kind: "addForeignKey";
    name?: string | undefined;
    columns: string[];
    targetSchema: string;
    targetTable: string;
    targetColumns: string[];
    onDelete?: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT" | undefined;
  } | {
    kind: "dropConstraint";
    constraint: string;
    cascade?: boolean | undefined;
    confirm?: string | undefined;
  } | {
    kind: "addIndex";
    name?: string | undefined;
    keys: ({
      column: string;
      descending?: boolean | undefined;
      nulls?: "FIRST" | "LAST" | undefined;
    } | {
      expression: string;
      descending?: boolean | undefined;
      nulls?: "FIRST" | "LAST" | undefined;
    })[];
    unique?: boolean | undefined;
    method?: "btree" | "hash" | "gin" | "gist" | "spgist" | "brin" | undefined;
    where?: string | undefined;
  } | {
    kind: "dropIndex";
    index: string;
  } | {
    kind: "changeComment";
    comment: string | null;
  } | {
    kind: "rename";
    name: string;
  } | {
    kind: "move";
    schema: string;
  })[];
};

export type TableDefinition = {
  name: string;
  columns: ({
    name: string;
    dataType: string;
    primaryKey?: boolean | undefined;
    default?: string | undefined;
    identity?: "ALWAYS" | "BY_DEFAULT" | undefined;
    generated?: string | undefined;
    nullable?: boolean | undefined;
    check?: string | undefined;
    checkMessage?: string | undefined;
    foreignKey?: {
      targetSchema: string;
      targetTable: string;
      targetColumn: string;
      onDelete?: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT" | undefined;
    } | undefined;
  })[];
};

export type TablePresentation = {
  version: 1;
  layout: "table";
  columns: ({
    field: string;
    width?: number | undefined;
    pinned?: boolean | undefined;
    summary?: "count" | "countDistinct" | "sum" | "avg" | "min" | "max" | undefined;
  })[];
};

export type TableSummary = {
  resourceId: string | null;
  schema: string;
  name: string;
  comment: string | null;
  columns: number;
  rowEstimate: number | null;
  tableBytes: number | null;
  indexBytes: number | null;
};

export type TextPresentation = {
  version: 1;
};

export type Token = {
  id: string;
  userId: string;
  owner: {
    email: string;
    name: string;
    active: boolean;
  };
  name: string;
  description: string;
  plane: "api" | "admin";
  lifetime: number;
  state: "active" | "deactivated" | "expired" | "revoked";
  expiresAt: string;
  expiresSoon: boolean;
  previousSecretUntil: string | null;
  lastUsedAt: string | null;
  createdAt: string;
  client: TokenClient;
  scopes: ("read" | "write" | "workflows")[] | null;
};

export type TokenClient = {
  id: string;
  name: string;
  uri: string | null;
  redirect: string;
  kind: "DOCUMENT" | "REGISTERED";
} | null;

export type TokenWithSecret = Token & {
  secret: string;
};

export type User = {
  id: string;
  email: string;
  name: string;
  active: boolean;
  isSystem: boolean;
  emailVerified: boolean;
  timeZone: string | null;
  language: string | null;
  lastSignInAt: string | null;
  createdAt: string;
  roles: {
    id: string;
    name: string;
  }[];
  apiAccess: boolean;
};

export type UserPermissions = {
  userId: string;
  active: boolean;
  roles: {
    id: string;
    name: string;
  }[];
  isAdministrator: boolean;
  hasApiAccess: boolean;
  mayCreateTokens: boolean;
  resources: ResourcePermissions[];
};

export type View = {
  resourceId: string;
  schema: string;
  name: string;
  materialized: boolean;
  definition: string;
  comment: string | null;
  columns: ({
    name: string;
    dataType: string;
    comment: string | null;
    source: {
      resourceId: string;
      schema: string;
      table: string;
      column: string;
    } | null;
  })[];
  indexes: ({
    name: string;
    columns: string[] | null;
    unique: boolean;
  })[];
  populated: boolean;
  refresh: ViewRefresh;
};

export type ViewGroup = {
  value?: unknown;
  label: string | null;
  count: number;
  closed: boolean;
};

export type ViewRefresh = {
  state: "NONE" | "RUNNING" | "SUCCEEDED" | "FAILED";
  concurrently: boolean | null;
  startedAt: string | null;
  finishedAt: string | null;
  refreshedAt: string | null;
  error: {
    code: string;
    message: string;
  } | null;
} | null;

export type ViewSummary = {
  resourceId: string | null;
  schema: string;
  name: string;
  materialized: boolean;
  comment: string | null;
  columns: number;
  populated: boolean;
};

export type VisiblePresentation = VisibleTablePresentation | CardsPresentation | KanbanPresentation | CalendarPresentation | FormPresentation;

export type VisibleTablePresentation = {
  version: 1;
  layout: "table";
  columns: ({
    field: string;
    width?: number | undefined;
    pinned?: boolean | undefined;
    summary?: "count" | "countDistinct" | "sum" | "avg" | "min" | "max" | undefined;
  })[];
  degraded?: true | undefined;
};

export type Workflow = {
  id: string;
  slug: string;
  name: string;
  enabled: boolean;
  definition?: unknown;
  published: {
    versionId: string;
    number: number;
    publishedAt: string;
  } | null;
  problem: string | null;
  nextRunAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type WorkflowChange = {
  kind: "STEP_ADDED" | "STEP_REMOVED" | "STEP_MOVED" | "CHANGED";
  step: string | null;
  from: string | null;
  to: string | null;
  before?: unknown;
  after?: unknown;
};

export type WorkflowCompletions = {
  start: WorkflowValueShape;
  steps: WorkflowValueShape;
  vars: WorkflowValueShape;
  errors: WorkflowValueShape;
  item: WorkflowValueShape | null;
  index: WorkflowValueShape | null;
  secrets: string[];
};

export type WorkflowDefinitionFault = {
  code: string;
  path?: string | undefined;
  message: string;
  severity: "ERROR" | "WARNING";
};

export type WorkflowExample = WorkflowExampleSummary & {
  output?: unknown;
};

export type WorkflowExampleSummary = {
  step: string;
  updatedAt: string;
};

export type WorkflowOverview = {
  since: string;
  until: string;
  workflowCount: number;
  workflows: WorkflowState[];
  buckets: {
    at: string;
    succeeded: number;
    failed: number;
    cancelled: number;
  }[];
  schedules: {
    workflowId: string;
    slug: string;
    name: string;
    nextRunAt: string;
  }[];
};

export type WorkflowRun = WorkflowRunSummary & ({
  cancelRequestedAt: string | null;
  input?: unknown;
  result?: unknown;
  steps: WorkflowRunStep[];
  stepCount: number;
});

export type WorkflowRunEvent = {
  event: "run";
  id: string;
  data: WorkflowRunSummary & ({
    cancelRequestedAt: string | null;
    result?: unknown;
  });
} | {
  event: "steps";
  id: string;
  data: WorkflowRunStep[];
} | {
  event: "end";
  id: string;
  data: { [name: string]: unknown };
};

export type WorkflowRunStep = {
  path: string;
  position: number;
  kind: string;
  status: "STARTED" | "WAITING" | "SUCCEEDED" | "FAILED";
  attempt: number;
  resumeAt: string | null;
  childRunId: string | null;
  input?: unknown;
  output?: unknown;
  error: {
    code: string;
    message: string;
    step: string | null;
    reason?: string | undefined;
  } | null;
  simulated: "ROLLED_BACK" | "MOCK" | "EXAMPLE" | "NOT_SENT" | "SKIPPED" | null;
  startedAt: string;
  finishedAt: string | null;
};

export type WorkflowRunSummary = {
  id: string;
  workflowId: string;
  workflowSlug: string;
  versionId: string;
  versionNumber: number | null;
  origin: "WEBHOOK" | "MANUAL" | "SCHEDULE" | "EVENT" | "WORKFLOW" | "TEST" | "AGAIN";
  status: "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  callerUserId: string | null;
  tokenId: string | null;
  tokenPlane: "api" | "admin" | null;
  callerName: string | null;
  executeAsUserId: string;
  executeAsName: string | null;
  requestId: string | null;
  parentRunId: string | null;
  causedByRunId: string | null;
  error: {
    code: string;
    message: string;
    step: string | null;
  } | null;
  test: {
    effects: "REAL" | "NONE";
    until: string | null;
    mocked: string[];
  } | null;
  againOf: {
    runId: string;
    from: string | null;
  } | null;
  acceptedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
};

export type WorkflowSample = WorkflowSampleSummary & {
  data?: unknown;
};

export type WorkflowSampleSummary = {
  id: string;
  name: string;
  runId: string | null;
  createdBy: string | null;
  createdAt: string;
};

export type WorkflowState = {
  id: string;
  slug: string;
  name: string;
  enabled: boolean;
  problem: string | null;
  runs: {
    total: number;
    succeeded: number;
    failed: number;
    cancelled: number;
  };
  open: number;
  running: number;
  concurrency: number | null;
  medianMs: number | null;
  p95Ms: number | null;
  lastFailure: {
    runId: string;
    at: string;
    code: string;
  } | null;
};

export type WorkflowStepKind = {
  kind: string;
  title: string;
  help: string;
  schema: { [name: string]: unknown };
  group: "rows" | "outside" | "files" | "flow" | "values";
  hasEffects: boolean;
  branches: {
    path: string[];
    title: string;
  }[];
};

export type WorkflowTriggerKind = {
  kind: string;
  title: string;
  help: string;
  schema: { [name: string]: unknown };
};

export type WorkflowValueShape = {
  type: "object" | "array" | "string" | "number" | "boolean" | "null" | "any";
  properties?: { [name: string]: WorkflowValueShape } | undefined;
  items?: WorkflowValueShape | undefined;
  examples?: string[] | undefined;
  source: "DEFINITION" | "RUNS";
};

export type WorkflowVersion = WorkflowVersionSummary & {
  definition?: unknown;
};

export type WorkflowVersionSummary = {
  id: string;
  number: number;
  publishedAt: string;
  publishedBy: string | null;
};

export type WorkflowWatcher = {
  userId: string;
  name: string;
  email: string;
  since: string;
};

/** The operations by method and path. */
export interface AdminOperations {
  "GET /openapi": {
    path: null;
    query: {
      exports?: "true" | "false" | undefined;
    };
    body: null;
    answer: { [name: string]: unknown };
  };
  "GET /openapi/data": {
    path: null;
    query: {
      exports?: "true" | "false" | undefined;
      role: string;
    };
    body: null;
    answer: { [name: string]: unknown };
  };
  "GET /schema": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: Schema[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /schema": {
    path: null;
    query: null;
    data: {
      name: string;
    };
    answer: {
      data: Schema;
    };
  };
  "DELETE /schema/{schema}": {
    path: {
      schema: string;
    };
    query: {
      confirm?: string | undefined;
    };
    body: null;
    answer: { data?: never };
  };
  "GET /sample": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: {
        state: "NONE" | "LOADED" | "NAME_TAKEN";
      };
    };
  };
  "POST /sample": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: {
        state: "NONE" | "LOADED" | "NAME_TAKEN";
      };
    };
  };
  "DELETE /sample": {
    path: null;
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /schema/{schema}/tables": {
    path: {
      schema: string;
    };
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: TableSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /schema/{schema}/tables": {
    path: {
      schema: string;
    };
    query: null;
    data: TableDefinition;
    answer: {
      data: {
        resourceId: string;
        schema: string;
        name: string;
      };
    };
  };
  "POST /schema/{schema}/tables/preview": {
    path: {
      schema: string;
    };
    query: null;
    data: TableDefinition;
    answer: {
      data: {
        sql: string[];
      };
    };
  };
  "GET /foreign-keys": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      schema?: string | undefined;
    };
    body: null;
    answer: {
      data: ForeignKeySummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "GET /schema/{schema}/tables/{table}": {
    path: {
      schema: string;
      table: string;
    };
    query: null;
    body: null;
    answer: {
      data: Table;
    };
  };
  "PATCH /schema/{schema}/tables/{table}": {
    path: {
      schema: string;
      table: string;
    };
    query: null;
    data: TableAlteration;
    answer: {
      data: Table;
    };
  };
  "DELETE /schema/{schema}/tables/{table}": {
    path: {
      schema: string;
      table: string;
    };
    query: {
      confirm?: string | undefined;
      cascade?: "true" | "false" | undefined;
    };
    body: null;
    answer: { data?: never };
  };
  "POST /schema/{schema}/tables/{table}/preview": {
    path: {
      schema: string;
      table: string;
    };
    query: null;
    data: TableAlteration;
    answer: {
      data: ChangePreview;
    };
  };
  "POST /schema/{schema}/tables/{table}/drop-preview": {
    path: {
      schema: string;
      table: string;
    };
    query: null;
    data: {
      cascade?: boolean | undefined;
    };
    answer: {
      data: ChangePreview;
    };
  };
  "GET /schema/{schema}/views": {
    path: {
      schema: string;
    };
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: ViewSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /schema/{schema}/views": {
    path: {
      schema: string;
    };
    query: null;
    data: {
      name: string;
      materialized?: boolean | undefined;
      definition: string;
      comment?: string | null | undefined;
      indexes?: ({
        columns: string[];
        unique?: boolean | undefined;
      })[] | undefined;
    };
    answer: {
      data: {
        resourceId: string;
        schema: string;
        name: string;
      };
    };
  };
  "POST /schema/{schema}/views/preview": {
    path: {
      schema: string;
    };
    query: null;
    data: {
      name: string;
      materialized?: boolean | undefined;
      definition: string;
      comment?: string | null | undefined;
      indexes?: ({
        columns: string[];
        unique?: boolean | undefined;
      })[] | undefined;
    };
    answer: {
      data: {
        sql: string[];
      };
    };
  };
  "GET /schema/{schema}/views/{view}": {
    path: {
      schema: string;
      view: string;
    };
    query: null;
    body: null;
    answer: {
      data: View;
    };
  };
  "PUT /schema/{schema}/views/{view}": {
    path: {
      schema: string;
      view: string;
    };
    query: null;
    data: {
      definition: string;
      comment?: string | null | undefined;
      indexes?: ({
        columns: string[];
        unique?: boolean | undefined;
      })[] | undefined;
    };
    answer: {
      data: View;
    };
  };
  "DELETE /schema/{schema}/views/{view}": {
    path: {
      schema: string;
      view: string;
    };
    query: {
      confirm?: string | undefined;
    };
    body: null;
    answer: { data?: never };
  };
  "POST /schema/{schema}/views/{view}/preview": {
    path: {
      schema: string;
      view: string;
    };
    query: null;
    data: {
      definition: string;
      comment?: string | null | undefined;
      indexes?: ({
        columns: string[];
        unique?: boolean | undefined;
      })[] | undefined;
      action: "replace";
    } | {
      action: "drop";
    };
    answer: {
      data: {
        sql: string[];
        dependents: {
          kind: string;
          name: string;
        }[];
        loses: {
          exposedMethods: string[];
          roles: string[];
          dataViews: string[];
          dashboards: string[];
        };
      } | {
        sql: string[];
      };
    };
  };
  "POST /schema/{schema}/views/{view}/refresh": {
    path: {
      schema: string;
      view: string;
    };
    query: null;
    body: null;
    answer: {
      data: ViewRefresh;
    };
  };
  "GET /schema/{schema}/views/{view}/refresh": {
    path: {
      schema: string;
      view: string;
    };
    query: null;
    body: null;
    answer: {
      data: ViewRefresh;
    };
  };
  "GET /resources": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      schema?: string | undefined;
      kind?: "TABLE" | "VIEW" | undefined;
      exposed?: "true" | "false" | undefined;
    };
    body: null;
    answer: {
      data: ResourceSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "PATCH /resources": {
    path: null;
    query: null;
    data: ({
      exposedMethods?: ("GET" | "POST" | "PATCH" | "DELETE")[] | undefined;
      label?: string | null | undefined;
      description?: string | null | undefined;
      history?: boolean | undefined;
      junction?: boolean | undefined;
      title?: string | null | undefined;
      id: string;
    })[];
    answer: {
      data: (ResourceSummary & ({
        description: string | null;
      }))[];
    };
  };
  "GET /resources/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Resource;
    };
  };
  "PATCH /resources/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      exposedMethods?: ("GET" | "POST" | "PATCH" | "DELETE")[] | undefined;
      label?: string | null | undefined;
      description?: string | null | undefined;
      history?: boolean | undefined;
      junction?: boolean | undefined;
      title?: string | null | undefined;
      columns?: ({
        label?: string | null | undefined;
        format?: ColumnFormat | undefined;
        colors?: ColumnColors | undefined;
        relationName?: string | null | undefined;
        name: string;
      })[] | undefined;
    };
    answer: {
      data: ChangedResource;
    };
  };
  "POST /resources/titles": {
    path: null;
    query: null;
    data: string[];
    answer: {
      data: ({
        id: string;
        choices: {
          template: string;
        }[];
        columns: {
          name: string;
          baseType: string;
        }[];
        rows: ({ [name: string]: string | null })[] | null;
      })[];
    };
  };
  "GET /resources/{id}/columns": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: ResourceColumn[];
    };
  };
  "PATCH /resources/{id}/columns": {
    path: {
      id: string;
    };
    query: null;
    data: ({
      label?: string | null | undefined;
      format?: ColumnFormat | undefined;
      colors?: ColumnColors | undefined;
      name: string;
    })[];
    answer: {
      data: ResourceColumn[];
    };
  };
  "GET /resources/{id}/columns/{column}": {
    path: {
      id: string;
      column: string;
    };
    query: null;
    body: null;
    answer: {
      data: ResourceColumn;
    };
  };
  "PATCH /resources/{id}/columns/{column}": {
    path: {
      id: string;
      column: string;
    };
    query: null;
    data: {
      label?: string | null | undefined;
      format?: ColumnFormat | undefined;
      colors?: ColumnColors | undefined;
      relationName?: string | null | undefined;
    };
    answer: {
      data: ChangedResourceColumn;
    };
  };
  "GET /roles": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: Role[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /roles": {
    path: null;
    query: null;
    data: {
      name: string;
      description?: string | undefined;
      apiAccess?: boolean | undefined;
      tokenCreation?: boolean | undefined;
    };
    answer: {
      data: Role;
    };
  };
  "GET /roles/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Role;
    };
  };
  "PATCH /roles/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name?: string | undefined;
      description?: string | undefined;
      apiAccess?: boolean | undefined;
      tokenCreation?: boolean | undefined;
    };
    answer: {
      data: Role;
    };
  };
  "DELETE /roles/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /roles/{id}/members": {
    path: {
      id: string;
    };
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: RoleMember[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /roles/{id}/members": {
    path: {
      id: string;
    };
    query: null;
    data: {
      userId: string;
    };
    answer: {
      data: RoleMember;
    };
  };
  "DELETE /roles/{id}/members/{userId}": {
    path: {
      id: string;
      userId: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /grants": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      roleId?: string | undefined;
      resourceId?: string | undefined;
      action?: "READ" | "CREATE" | "UPDATE" | "DELETE" | undefined;
    };
    body: null;
    answer: {
      data: Grant[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /grants": {
    path: null;
    query: null;
    data: {
      fields?: string[] | null | undefined;
      rowFilter?: { [name: string]: unknown } | null | undefined;
      check?: { [name: string]: unknown } | null | undefined;
      presets?: { [name: string]: unknown } | undefined;
      roleId: string;
      resourceId: string;
      action: "READ" | "CREATE" | "UPDATE" | "DELETE";
    };
    answer: {
      data: Grant;
    };
  };
  "PUT /grants": {
    path: null;
    query: null;
    data: ({
      fields?: string[] | null | undefined;
      rowFilter?: { [name: string]: unknown } | null | undefined;
      check?: { [name: string]: unknown } | null | undefined;
      presets?: { [name: string]: unknown } | undefined;
      roleId: string;
      resourceId: string;
      action: "READ" | "CREATE" | "UPDATE" | "DELETE";
      revoked?: boolean | undefined;
    })[];
    answer: {
      data: Grant[];
    };
  };
  "GET /grants/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Grant;
    };
  };
  "PATCH /grants/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      fields?: string[] | null | undefined;
      rowFilter?: { [name: string]: unknown } | null | undefined;
      check?: { [name: string]: unknown } | null | undefined;
      presets?: { [name: string]: unknown } | undefined;
    };
    answer: {
      data: Grant;
    };
  };
  "DELETE /grants/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /data-views": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      resourceId?: string | undefined;
    };
    body: null;
    answer: {
      data: DataView[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /data-views": {
    path: null;
    query: null;
    data: {
      name: string;
      description?: string | undefined;
      icon?: ReadingIcon | undefined;
      position?: number | undefined;
      resourceId: string;
      fields?: string[] | null | undefined;
      where?: { [name: string]: unknown } | null | undefined;
      orderBy?: string[] | undefined;
      limit?: number | null | undefined;
      presentation?: Presentation | undefined;
      roleIds?: string[] | undefined;
    };
    answer: {
      data: DataView;
    };
  };
  "GET /data-views/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: DataView;
    };
  };
  "PATCH /data-views/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name?: string | undefined;
      description?: string | undefined;
      icon?: ReadingIcon | undefined;
      position?: number | undefined;
      fields?: string[] | null | undefined;
      where?: { [name: string]: unknown } | null | undefined;
      orderBy?: string[] | undefined;
      limit?: number | null | undefined;
      presentation?: Presentation | undefined;
      roleIds?: string[] | undefined;
    };
    answer: {
      data: DataView;
    };
  };
  "DELETE /data-views/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /dashboards": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: Dashboard[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /dashboards": {
    path: null;
    query: null;
    data: {
      name: string;
      description?: string | undefined;
      icon?: ReadingIcon | undefined;
      position?: number | undefined;
      refreshSeconds?: number | null | undefined;
      roleIds?: string[] | undefined;
      parameters?: ({
        kind: "PERIOD";
        name: string;
        label: string;
        default?: Period | undefined;
      } | {
        kind: "VALUE";
        name: string;
        label: string;
        resourceId: string;
        field: string;
        multiple?: boolean | undefined;
        default?: string | number | boolean | (string | number | boolean)[] | null | undefined;
      } | {
        kind: "PERSON";
        name: string;
        label: string;
        resourceId?: string | null | undefined;
        field?: string | null | undefined;
        default?: "ME" | null | undefined;
      })[] | undefined;
      panels?: ({
        kind: "FIGURE";
        id: string;
        title?: string | undefined;
        layout?: {
          x: number;
          y: number;
          w: number;
          h: number;
        } | undefined;
        resourceId: string;
        bindings?: {
          parameter: string;
          field: string;
        }[] | undefined;
        definition: {
          aggregate: string[];
          where?: { [name: string]: unknown } | null | undefined;
          time?: {
            field: string;
            unit?: "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute" | undefined;
          } | undefined;
          comparison?: boolean | undefined;
          sparkline?: boolean | undefined;
        };
        presentation?: FigurePresentation | undefined;
      } | {
        kind: "CHART";
        id: string;
        title?: string | undefined;
        layout?: {
          x: number;
          y: number;
          w: number;
          h: number;
        } | undefined;
        resourceId: string;
        bindings?: {
          parameter: string;
          field: string;
        }[] | undefined;
        definition: {
          aggregate: string[];
          groupBy: string[];
          where?: { [name: string]: unknown } | null | undefined;
          having?: { [name: string]: unknown } | null | undefined;
          orderBy?: string[] | undefined;
          limit?: number | null | undefined;
          fillGaps?: boolean | undefined;
        };
        presentation?: ChartPresentation | undefined;
      } | {
        kind: "PIVOT";
        id: string;
        title?: string | undefined;
        layout?: {
          x: number;
          y: number;
          w: number;
          h: number;
        } | undefined;
        resourceId: string;
        bindings?: {
          parameter: string;
          field: string;
        }[] | undefined;
        definition: {
          aggregate: string[];
          rows: string[];
          columns?: string[] | undefined;
          where?: { [name: string]: unknown } | null | undefined;
          limit?: number | null | undefined;
        };
        presentation?: PivotPresentation | undefined;
      } | {
        kind: "LIST";
        id: string;
        title?: string | undefined;
        layout?: {
          x: number;
          y: number;
          w: number;
          h: number;
        } | undefined;
        resourceId: string;
        bindings?: {
          parameter: string;
          field: string;
        }[] | undefined;
        definition: {
          fields?: string[] | null | undefined;
          where?: { [name: string]: unknown } | null | undefined;
          orderBy?: string[] | undefined;
          limit?: number | null | undefined;
        };
        presentation?: TablePresentation | undefined;
      } | {
        kind: "TEXT";
        id: string;
        title?: string | undefined;
        layout?: {
          x: number;
          y: number;
          w: number;
          h: number;
        } | undefined;
        resourceId?: null | undefined;
        definition: {
          markdown: string;
        };
        presentation?: TextPresentation | undefined;
      })[] | undefined;
    };
    answer: {
      data: Dashboard;
    };
  };
  "GET /dashboards/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Dashboard;
    };
  };
  "PATCH /dashboards/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name?: string | undefined;
      description?: string | undefined;
      icon?: ReadingIcon | undefined;
      position?: number | undefined;
      refreshSeconds?: number | null | undefined;
      roleIds?: string[] | undefined;
      parameters?: ({
        kind: "PERIOD";
        name: string;
        label: string;
        default?: Period | undefined;
      } | {
        kind: "VALUE";
        name: string;
        label: string;
        resourceId: string;
        field: string;
        multiple?: boolean | undefined;
        default?: string | number | boolean | (string | number | boolean)[] | null | undefined;
      } | {
        kind: "PERSON";
        name: string;
        label: string;
        resourceId?: string | null | undefined;
        field?: string | null | undefined;
        default?: "ME" | null | undefined;
      })[] | undefined;
      panels?: ({
        kind: "FIGURE";
        id: string;
        title?: string | undefined;
        layout?: {
          x: number;
          y: number;
          w: number;
          h: number;
        } | undefined;
        resourceId: string;
        bindings?: {
          parameter: string;
          field: string;
        }[] | undefined;
        definition: {
          aggregate: string[];
          where?: { [name: string]: unknown } | null | undefined;
          time?: {
            field: string;
            unit?: "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute" | undefined;
          } | undefined;
          comparison?: boolean | undefined;
          sparkline?: boolean | undefined;
        };
        presentation?: FigurePresentation | undefined;
      } | {
        kind: "CHART";
        id: string;
        title?: string | undefined;
        layout?: {
          x: number;
          y: number;
          w: number;
          h: number;
        } | undefined;
        resourceId: string;
        bindings?: {
          parameter: string;
          field: string;
        }[] | undefined;
        definition: {
          aggregate: string[];
          groupBy: string[];
          where?: { [name: string]: unknown } | null | undefined;
          having?: { [name: string]: unknown } | null | undefined;
          orderBy?: string[] | undefined;
          limit?: number | null | undefined;
          fillGaps?: boolean | undefined;
        };
        presentation?: ChartPresentation | undefined;
      } | {
        kind: "PIVOT";
        id: string;
        title?: string | undefined;
        layout?: {
          x: number;
          y: number;
          w: number;
          h: number;
        } | undefined;
        resourceId: string;
        bindings?: {
          parameter: string;
          field: string;
        }[] | undefined;
        definition: {
          aggregate: string[];
          rows: string[];
          columns?: string[] | undefined;
          where?: { [name: string]: unknown } | null | undefined;
          limit?: number | null | undefined;
        };
        presentation?: PivotPresentation | undefined;
      } | {
        kind: "LIST";
        id: string;
        title?: string | undefined;
        layout?: {
          x: number;
          y: number;
          w: number;
          h: number;
        } | undefined;
        resourceId: string;
        bindings?: {
          parameter: string;
          field: string;
        }[] | undefined;
        definition: {
          fields?: string[] | null | undefined;
          where?: { [name: string]: unknown } | null | undefined;
          orderBy?: string[] | undefined;
          limit?: number | null | undefined;
        };
        presentation?: TablePresentation | undefined;
      } | {
        kind: "TEXT";
        id: string;
        title?: string | undefined;
        layout?: {
          x: number;
          y: number;
          w: number;
          h: number;
        } | undefined;
        resourceId?: null | undefined;
        definition: {
          markdown: string;
        };
        presentation?: TextPresentation | undefined;
      })[] | undefined;
    };
    answer: {
      data: Dashboard;
    };
  };
  "DELETE /dashboards/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /users": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      active?: "true" | "false" | undefined;
      apiAccess?: "true" | "false" | undefined;
    };
    body: null;
    answer: {
      data: User[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /users": {
    path: null;
    query: null;
    data: {
      email: string;
      name?: string | undefined;
      password?: string | undefined;
      timeZone?: string | null | undefined;
      language?: string | null | undefined;
    };
    answer: {
      data: User;
    };
  };
  "GET /users/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: User;
    };
  };
  "PATCH /users/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      email?: string | undefined;
      name?: string | undefined;
      active?: boolean | undefined;
      emailVerified?: boolean | undefined;
      timeZone?: string | null | undefined;
      language?: string | null | undefined;
    };
    answer: {
      data: User;
    };
  };
  "POST /users/{id}/deactivate": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: User;
    };
  };
  "POST /users/{id}/activate": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: User;
    };
  };
  "GET /users/{id}/permissions": {
    path: {
      id: string;
    };
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      schema?: string | undefined;
    };
    body: null;
    answer: {
      data: UserPermissions;
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /permissions/explain": {
    path: null;
    query: null;
    data: {
      userId: string;
      method: "GET" | "POST" | "PATCH" | "DELETE";
      path: string;
      query?: string | undefined;
      body?: unknown;
    };
    answer: {
      data: PermissionExplanation;
    };
  };
  "POST /permissions/preview": {
    path: null;
    query: null;
    data: {
      userId?: string | undefined;
      roleIds?: string[] | undefined;
      path: string;
      headers?: {
        Accept?: string | undefined;
        Prefer?: string | undefined;
        "X-Service-Timezone"?: string | undefined;
      } | undefined;
    };
    answer: {
      data: PreviewedAnswer;
    };
  };
  "POST /data-views/preview": {
    path: null;
    query: null;
    data: {
      view: {
        name: string;
        description?: string | undefined;
        icon?: ReadingIcon | undefined;
        position?: number | undefined;
        resourceId: string;
        fields?: string[] | null | undefined;
        where?: { [name: string]: unknown } | null | undefined;
        orderBy?: string[] | undefined;
        limit?: number | null | undefined;
        presentation?: Presentation | undefined;
        roleIds?: string[] | undefined;
      };
      as?: {
        userId?: string | undefined;
        roleIds?: string[] | undefined;
      } | undefined;
      query?: {
        limit?: number | undefined;
        cursor?: string | undefined;
        search?: string | undefined;
        count?: "exact" | "estimated" | undefined;
        where?: { [name: string]: unknown } | undefined;
        orderBy?: string[] | undefined;
        fields?: string[] | undefined;
        from?: string | undefined;
        to?: string | undefined;
        group?: unknown;
        summaries?: boolean | undefined;
      } | undefined;
    };
    answer: {
      data: OpenDataView;
      meta: {
        nextCursor?: string | null | undefined;
        count?: number | undefined;
        more?: string[] | undefined;
        etags?: string[] | undefined;
        asOf: string;
      };
    };
  };
  "POST /dashboards/preview": {
    path: null;
    query: null;
    data: {
      dashboard: {
        name: string;
        description?: string | undefined;
        icon?: ReadingIcon | undefined;
        position?: number | undefined;
        refreshSeconds?: number | null | undefined;
        roleIds?: string[] | undefined;
        parameters?: ({
          kind: "PERIOD";
          name: string;
          label: string;
          default?: Period | undefined;
        } | {
          kind: "VALUE";
          name: string;
          label: string;
          resourceId: string;
          field: string;
          multiple?: boolean | undefined;
          default?: string | number | boolean | (string | number | boolean)[] | null | undefined;
        } | {
          kind: "PERSON";
          name: string;
          label: string;
          resourceId?: string | null | undefined;
          field?: string | null | undefined;
          default?: "ME" | null | undefined;
        })[] | undefined;
        panels?: ({
          kind: "FIGURE";
          id: string;
          title?: string | undefined;
          layout?: {
            x: number;
            y: number;
            w: number;
            h: number;
          } | undefined;
          resourceId: string;
          bindings?: {
            parameter: string;
            field: string;
          }[] | undefined;
          definition: {
            aggregate: string[];
            where?: { [name: string]: unknown } | null | undefined;
            time?: {
              field: string;
              unit?: "year" | "quarter" | "month" | "week" | "day" | "hour" | "minute" | undefined;
            } | undefined;
            comparison?: boolean | undefined;
            sparkline?: boolean | undefined;
          };
          presentation?: FigurePresentation | undefined;
        } | {
          kind: "CHART";
          id: string;
          title?: string | undefined;
          layout?: {
            x: number;
            y: number;
            w: number;
            h: number;
          } | undefined;
          resourceId: string;
          bindings?: {
            parameter: string;
            field: string;
          }[] | undefined;
          definition: {
            aggregate: string[];
            groupBy: string[];
            where?: { [name: string]: unknown } | null | undefined;
            having?: { [name: string]: unknown } | null | undefined;
            orderBy?: string[] | undefined;
            limit?: number | null | undefined;
            fillGaps?: boolean | undefined;
          };
          presentation?: ChartPresentation | undefined;
        } | {
          kind: "PIVOT";
          id: string;
          title?: string | undefined;
          layout?: {
            x: number;
            y: number;
            w: number;
            h: number;
          } | undefined;
          resourceId: string;
          bindings?: {
            parameter: string;
            field: string;
          }[] | undefined;
          definition: {
            aggregate: string[];
            rows: string[];
            columns?: string[] | undefined;
            where?: { [name: string]: unknown } | null | undefined;
            limit?: number | null | undefined;
          };
          presentation?: PivotPresentation | undefined;
        } | {
          kind: "LIST";
          id: string;
          title?: string | undefined;
          layout?: {
            x: number;
            y: number;
            w: number;
            h: number;
          } | undefined;
          resourceId: string;
          bindings?: {
            parameter: string;
            field: string;
          }[] | undefined;
          definition: {
            fields?: string[] | null | undefined;
            where?: { [name: string]: unknown } | null | undefined;
            orderBy?: string[] | undefined;
            limit?: number | null | undefined;
          };
          presentation?: TablePresentation | undefined;
        } | {
          kind: "TEXT";
          id: string;
          title?: string | undefined;
          layout?: {
            x: number;
            y: number;
            w: number;
            h: number;
          } | undefined;
          resourceId?: null | undefined;
          definition: {
            markdown: string;
          };
          presentation?: TextPresentation | undefined;
        })[] | undefined;
      };
      as?: {
        userId?: string | undefined;
        roleIds?: string[] | undefined;
      } | undefined;
      parameters?: { [name: string]: unknown } | undefined;
      panelId?: string | undefined;
    };
    answer: {
      data: OpenDashboard;
    } | {
      data: OpenPanel;
    };
  };
  "GET /users/{id}/sessions": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Session[];
    };
  };
  "DELETE /users/{id}/sessions": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "DELETE /users/{id}/sessions/{sessionId}": {
    path: {
      id: string;
      sessionId: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /tokens": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      userId?: string | undefined;
      state?: "active" | "deactivated" | "expired" | "revoked" | undefined;
      expiresSoon?: "true" | "false" | undefined;
      client?: "true" | "false" | undefined;
    };
    body: null;
    answer: {
      data: Token[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /tokens": {
    path: null;
    query: null;
    data: {
      userId: string;
      name: string;
      description?: string | undefined;
      plane: "api" | "admin";
      lifetime?: number | undefined;
    };
    answer: {
      data: TokenWithSecret;
    };
  };
  "GET /tokens/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Token;
    };
  };
  "PATCH /tokens/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name?: string | undefined;
      description?: string | undefined;
    };
    answer: {
      data: Token;
    };
  };
  "POST /tokens/{id}/regenerate": {
    path: {
      id: string;
    };
    query: null;
    data: {
      gracePeriod: "none" | "1h" | "24h" | "7d";
    };
    answer: {
      data: TokenWithSecret;
    };
  };
  "POST /tokens/{id}/deactivate": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Token;
    };
  };
  "POST /tokens/{id}/activate": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Token;
    };
  };
  "POST /tokens/{id}/revoke": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Token;
    };
  };
  "GET /invitations": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: Invitation[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /invitations": {
    path: null;
    query: null;
    data: {
      email: string;
      name?: string | undefined;
      language?: string | null | undefined;
      roleIds: string[];
      returnTo?: string | undefined;
    };
    answer: {
      data: Invitation;
    };
  };
  "GET /invitations/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Invitation;
    };
  };
  "DELETE /invitations/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "POST /invitations/{id}/mail": {
    path: {
      id: string;
    };
    query: {
      returnTo?: string | undefined;
    };
    body: null;
    answer: {
      data: Invitation;
    };
  };
  "POST /invitations/{id}/link": {
    path: {
      id: string;
    };
    query: {
      returnTo?: string | undefined;
    };
    body: null;
    answer: {
      data: {
        url: string;
        expiresAt: string;
      };
    };
  };
  "GET /mail-server": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: {
        isConfigured: boolean;
      };
    };
  };
  "GET /templates": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      kind?: "MAIL" | "DOCUMENT" | undefined;
      key?: string | undefined;
      language?: string | undefined;
    };
    body: null;
    answer: {
      data: (MailTemplate | DocumentTemplate)[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /templates": {
    path: null;
    query: null;
    data: {
      kind?: "MAIL" | undefined;
      key: "auth.reset" | "auth.registered" | "auth.verify" | "auth.invite" | "auth.email_change" | "auth.email_changed" | "auth.email_taken" | "auth.new_administrator" | "workflow.failures";
      language: string;
      subject: string;
      text: string;
      html?: string | null | undefined;
    } | {
      kind: "DOCUMENT";
      key: string;
      language: string;
      title: string;
      format: "HTML" | "TEXT" | "CSV";
      source: string;
      sample?: { [name: string]: unknown } | undefined;
    };
    answer: {
      data: MailTemplate | DocumentTemplate;
    };
  };
  "GET /templates/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: MailTemplate | DocumentTemplate;
    };
  };
  "PATCH /templates/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      subject?: string | undefined;
      text?: string | undefined;
      html?: string | null | undefined;
      title?: string | undefined;
      format?: "HTML" | "TEXT" | "CSV" | undefined;
      source?: string | undefined;
      sample?: { [name: string]: unknown } | undefined;
    };
    answer: {
      data: MailTemplate | DocumentTemplate;
    };
  };
  "DELETE /templates/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "POST /templates/{id}/preview": {
    path: {
      id: string;
    };
    query: null;
    data: {
      subject?: string | undefined;
      text?: string | undefined;
      html?: string | null | undefined;
      title?: string | undefined;
      format?: "HTML" | "TEXT" | "CSV" | undefined;
      source?: string | undefined;
      sample?: { [name: string]: unknown } | undefined;
      values?: { [name: string]: string | number } | undefined;
    };
    answer: {
      data: {
        kind: "MAIL";
        subject: string;
        text: string;
        html: string | null;
        variables: ({
          name: string;
          value: string | number;
        })[];
        frame: string | null;
      } | {
        kind: "DOCUMENT";
        format: "HTML" | "TEXT" | "CSV";
        content: string;
        frame: string | null;
      };
    };
  };
  "POST /templates/{id}/test-mail": {
    path: {
      id: string;
    };
    query: null;
    data: {
      subject?: string | undefined;
      text?: string | undefined;
      html?: string | null | undefined;
      values?: { [name: string]: string | number } | undefined;
    };
    answer: {
      data: {
        to: string;
        response: string;
      };
    };
  };
  "GET /auth-providers": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: AuthProvider[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /auth-providers": {
    path: null;
    query: null;
    data: {
      key: string;
      kind: "google" | "github" | "oidc";
      name: string;
      issuer?: string | undefined;
      clientId: string;
      clientSecret: string;
      allowedDomains?: string[] | undefined;
      roleId?: string | null | undefined;
      enabled?: boolean | undefined;
    };
    answer: {
      data: AuthProvider;
    };
  };
  "GET /auth-providers/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: AuthProvider;
    };
  };
  "PATCH /auth-providers/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name?: string | undefined;
      issuer?: string | undefined;
      clientId?: string | undefined;
      clientSecret?: string | undefined;
      allowedDomains?: string[] | undefined;
      roleId?: string | null | undefined;
      enabled?: boolean | undefined;
    };
    answer: {
      data: AuthProvider;
    };
  };
  "DELETE /auth-providers/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /mcp/calls": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      tool?: string | undefined;
      outcome?: "SUCCEEDED" | "REFUSED" | "FAILED" | undefined;
      userId?: string | undefined;
      tokenId?: string | undefined;
    };
    body: null;
    answer: {
      data: McpCall[];
      meta: {
        nextCursor: string | null;
      };
    };
    events: McpCallEvent;
  };
  "GET /database-server": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: {
        version: string;
        isTested: boolean;
        testedFrom: number;
        testedTo: number;
        codeMayAdminister: boolean;
      };
    };
  };
  "GET /settings": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: Setting[];
    };
  };
  "PATCH /settings": {
    path: null;
    query: null;
    data: {
      "auth.session_ttl_hours"?: number | null | undefined;
      "auth.registration_enabled"?: boolean | null | undefined;
      "auth.registration_role"?: string | null | undefined;
      "auth.require_email_verification"?: boolean | null | undefined;
      "auth.attempts_per_minute"?: number | null | undefined;
      "auth.mails_per_minute"?: number | null | undefined;
      "auth.return_addresses"?: string[] | null | undefined;
      "api_keys.default_ttl_days"?: number | null | undefined;
      "api_keys.rotation_warning_days"?: number | null | undefined;
      "api_keys.purge_after_days"?: number | null | undefined;
      "workflows.max_sync_wait_ms"?: number | null | undefined;
      "workflows.run_retention_days"?: number | null | undefined;
      "workflows.failure_mail_minutes"?: number | null | undefined;
      "workflows.allowed_hosts"?: string[] | null | undefined;
      "workflows.public_hosts"?: string[] | null | undefined;
      "auth.provider_hosts"?: string[] | null | undefined;
      "system.timezone"?: string | null | undefined;
      "system.public_url"?: string | null | undefined;
      "security.cors_origins"?: string[] | null | undefined;
      "security.trusted_proxies"?: string[] | null | undefined;
      "security.requests_per_minute"?: number | null | undefined;
      "data.default_limit"?: number | null | undefined;
      "data.max_limit"?: number | null | undefined;
      "data.max_filter_nodes"?: number | null | undefined;
      "data.max_filter_depth"?: number | null | undefined;
      "data.max_in_values"?: number | null | undefined;
      "data.max_array_rows"?: number | null | undefined;
      "data.max_affected"?: number | null | undefined;
      "data.max_relation_depth"?: number | null | undefined;
      "data.max_related_rows"?: number | null | undefined;
      "data.history_retention_days"?: number | null | undefined;
      "data.max_response_bytes"?: number | null | undefined;
      "data.max_response_bytes_at_once"?: number | null | undefined;
      "data.share_statements"?: boolean | null | undefined;
      "data.max_exports"?: number | null | undefined;
      "data.max_exports_per_user"?: number | null | undefined;
      "data.statement_timeout_ms"?: number | null | undefined;
      "data.export_timeout_ms"?: number | null | undefined;
      "data.export_stall_ms"?: number | null | undefined;
      "views.refresh_timeout_ms"?: number | null | undefined;
      "limits.body_bytes"?: number | null | undefined;
      "limits.import_bytes"?: number | null | undefined;
      "limits.import_rows"?: number | null | undefined;
      "limits.imports_at_once"?: number | null | undefined;
      "limits.imports_per_user"?: number | null | undefined;
      "limits.import_timeout_ms"?: number | null | undefined;
      "limits.import_stall_ms"?: number | null | undefined;
      "files.max_bytes"?: number | null | undefined;
      "files.max_bytes_per_user"?: number | null | undefined;
      "files.max_bytes_total"?: number | null | undefined;
      "files.allowed_types"?: string[] | null | undefined;
      "files.max_uploads_per_user"?: number | null | undefined;
      "files.upload_lifetime_hours"?: number | null | undefined;
      "files.upload_stall_ms"?: number | null | undefined;
      "files.public_url"?: string | null | undefined;
      "files.link_max_lifetime_seconds"?: number | null | undefined;
      "files.scan_url"?: string | null | undefined;
      "files.image_presets"?: ({
        name: string;
        width: number;
        height: number;
        fit: "inside" | "cover";
        format: "webp" | "jpeg" | "png" | "avif";
        quality: number;
      })[] | null | undefined;
      "files.image_pixels_max"?: number | null | undefined;
      "mcp.enabled"?: boolean | null | undefined;
      "mcp.access"?: "READ_ONLY" | "READ_WRITE" | null | undefined;
      "mcp.allow_deletes"?: boolean | null | undefined;
      "mcp.allow_workflows"?: boolean | null | undefined;
      "mcp.allow_sql"?: boolean | null | undefined;
      "mcp.oauth"?: boolean | null | undefined;
      "mcp.dynamic_registration"?: boolean | null | undefined;
      "mcp.client_hosts"?: string[] | null | undefined;
      "mcp.max_result_bytes"?: number | null | undefined;
      "mcp.call_retention_days"?: number | null | undefined;
      "sql_console.allow_api_tokens"?: boolean | null | undefined;
      "configuration.allow_sql"?: boolean | null | undefined;
      "sql_console.default_rows"?: number | null | undefined;
      "sql_console.max_rows"?: number | null | undefined;
      "sql_console.max_bytes"?: number | null | undefined;
      "sql_console.default_timeout_ms"?: number | null | undefined;
      "sql_console.max_timeout_ms"?: number | null | undefined;
      "sql_console.max_runs"?: number | null | undefined;
    };
    answer: {
      data: Setting[];
    };
  };
  "GET /configuration": {
    path: null;
    query: {
      part?: string | undefined;
    };
    body: null;
    answer: {
      data: {
        files: ConfigurationFiles;
      };
    };
  };
  "GET /configuration/schemas": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: { [name: string]: { [name: string]: unknown } };
    };
  };
  "POST /configuration/plan": {
    path: null;
    query: null;
    data: {
      files: ConfigurationFiles;
      options?: {
        environment?: string | undefined;
        variables?: { [name: string]: string } | undefined;
        parts?: ("settings" | "types" | "sql" | "tables" | "views" | "roles" | "templates" | "providers" | "workflows" | "data-views" | "dashboards")[] | undefined;
      } | undefined;
      wait?: number | undefined;
    };
    answer: {
      data: ConfigurationPlan;
    };
  };
  "GET /configuration/plans/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: ConfigurationPlan;
    };
  };
  "POST /configuration/apply": {
    path: null;
    query: null;
    data: {
      planId: string;
      digest: string;
      consents?: string[] | undefined;
      source?: {
        commit?: string | undefined;
        url?: string | undefined;
      } | undefined;
      wait?: number | undefined;
    };
    answer: {
      data: ConfigurationApply;
    };
  };
  "GET /configuration/drift": {
    path: null;
    query: {
      part?: string | undefined;
    };
    body: null;
    answer: {
      data: ConfigurationDrift;
    };
  };
  "GET /configuration/managed": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: ManagedDocument[];
    };
  };
  "POST /sql": {
    path: null;
    query: null;
    data: SqlRequest;
    answer: {
      data: SqlAnswer;
    };
  };
  "DELETE /sql/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /sealed-values": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: SealedValues;
    };
  };
  "POST /sealed-values/reseal": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: ResealedValues;
    };
  };
  "GET /audit-log": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      action?: "admin_api.access" | "auth_provider.create" | "auth_provider.update" | "auth_provider.delete" | "configuration.apply" | "dashboard.create" | "dashboard.update" | "dashboard.delete" | "data_view.create" | "data_view.update" | "data_view.delete" | "file.create" | "file.update" | "file.delete" | "file.quarantine" | "folder.create" | "folder.update" | "folder.delete" | "grant.create" | "grant.update" | "grant.delete" | "invitation.create" | "invitation.resend" | "invitation.link" | "invitation.revoke" | "invitation.accept" | "mail.send" | "oauth_client.authorize" | "oauth_client.register" | "oauth_client.replay" | "permission.preview" | "provider_secret.create" | "provider_secret.update" | "provider_secret.delete" | "resource.update" | "role.create" | "role.update" | "role.delete" | "role_member.create" | "role_member.update" | "role_member.delete" | "schema.create" | "schema.drop" | "sealed_values.reseal" | "session.create" | "session.end" | "settings.update" | "sql.read" | "sql.write" | "sql.cancel" | "table.create" | "table.update" | "table.drop" | "template.create" | "template.update" | "template.delete" | "template.test_mail" | "token.create" | "token.update" | "token.regenerate" | "token.activate" | "token.deactivate" | "token.revoke" | "user.create" | "user.update" | "user.delete" | "user.activate" | "user.deactivate" | "user.register" | "user.verify_email" | "user.request_email_change" | "user.change_email" | "user.change_password" | "user.reset_password" | "user.link_provider" | "user.unlink_provider" | "user.end_sessions" | "user.make_administrator" | "user.reset_administrator" | "view.create" | "view.replace" | "view.refresh" | "view.drop" | "workflow.create" | "workflow.update" | "workflow.delete" | "workflow.publish" | "workflow.roll_back" | "workflow.enable" | "workflow.disable" | "workflow.run" | "workflow.run_again" | "workflow.cancel_run" | "workflow.test" | "workflow.watch" | "workflow.unwatch" | "workflow.grant" | "workflow.revoke" | "workflow.pin_example" | "workflow.unpin_example" | "workflow_sample.create" | "workflow_sample.update" | "workflow_sample.delete" | "workflow_secret.create" | "workflow_secret.update" | "workflow_secret.delete" | undefined;
      actorUserId?: string | undefined;
      actorTokenId?: string | undefined;
      targetKind?: string | undefined;
      targetId?: string | undefined;
      changedField?: string | undefined;
      outcome?: "SUCCEEDED" | "FAILED" | undefined;
      address?: string | undefined;
      requestId?: string | undefined;
      since?: string | undefined;
      until?: string | undefined;
    };
    body: null;
    answer: {
      data: AuditLogEntry[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "GET /workflows": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: Workflow[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /workflows": {
    path: null;
    query: null;
    data: {
      slug: string;
      name: string;
      definition: { [name: string]: unknown };
    };
    answer: {
      data: Workflow;
    };
  };
  "GET /workflows/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Workflow;
    };
  };
  "PATCH /workflows/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      slug?: string | undefined;
      name?: string | undefined;
      definition?: { [name: string]: unknown } | undefined;
    };
    answer: {
      data: Workflow;
    };
  };
  "DELETE /workflows/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "POST /workflows/{id}/publish": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Workflow;
    };
  };
  "POST /workflows/{id}/enable": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Workflow;
    };
  };
  "POST /workflows/{id}/disable": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: Workflow;
    };
  };
  "GET /workflow-step-kinds": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: {
        steps: WorkflowStepKind[];
        triggers: WorkflowTriggerKind[];
        workflow: {
          schema: { [name: string]: unknown };
        };
      };
    };
  };
  "POST /workflow-definitions/check": {
    path: null;
    query: null;
    data: {
      definition: unknown;
    };
    answer: {
      data: CheckedWorkflowDefinition;
    };
  };
  "GET /workflow-warnings": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: DoubtfulWorkflow[];
    };
  };
  "POST /workflows/{id}/completions": {
    path: {
      id: string;
    };
    query: null;
    data: {
      step: string | null;
      definition?: unknown;
    };
    answer: {
      data: WorkflowCompletions;
    };
  };
  "POST /workflow-schedules/preview": {
    path: null;
    query: null;
    data: {
      cron: string;
      timeZone?: string | undefined;
      count?: number | undefined;
    };
    answer: {
      data: {
        moments: string[];
      };
    };
  };
  "GET /workflows/{id}/samples": {
    path: {
      id: string;
    };
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: WorkflowSampleSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /workflows/{id}/samples": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name: string;
      data: unknown;
    } | {
      name: string;
      run: string;
    };
    answer: {
      data: WorkflowSample;
    };
  };
  "GET /workflows/{id}/samples/{sampleId}": {
    path: {
      id: string;
      sampleId: string;
    };
    query: null;
    body: null;
    answer: {
      data: WorkflowSample;
    };
  };
  "PATCH /workflows/{id}/samples/{sampleId}": {
    path: {
      id: string;
      sampleId: string;
    };
    query: null;
    data: {
      name?: string | undefined;
      data?: unknown;
    };
    answer: {
      data: WorkflowSample;
    };
  };
  "DELETE /workflows/{id}/samples/{sampleId}": {
    path: {
      id: string;
      sampleId: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /workflows/{id}/examples": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: WorkflowExampleSummary[];
    };
  };
  "GET /workflows/{id}/examples/{stepId}": {
    path: {
      id: string;
      stepId: string;
    };
    query: null;
    body: null;
    answer: {
      data: WorkflowExample;
    };
  };
  "DELETE /workflows/{id}/examples/{stepId}": {
    path: {
      id: string;
      stepId: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "PUT /workflows/{id}/examples/{stepId}": {
    path: {
      id: string;
      stepId: string;
    };
    query: null;
    data: {
      output: unknown;
    } | {
      run: string;
      path: string;
    };
    answer: {
      data: WorkflowExample;
    };
  };
  "GET /workflow-secrets": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: StoredSecret[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /workflow-secrets": {
    path: null;
    query: null;
    data: {
      name: string;
      value: string;
      description?: string | undefined;
    };
    answer: {
      data: StoredSecret;
    };
  };
  "GET /workflow-secrets/{name}": {
    path: {
      name: string;
    };
    query: null;
    body: null;
    answer: {
      data: StoredSecret;
    };
  };
  "PATCH /workflow-secrets/{name}": {
    path: {
      name: string;
    };
    query: null;
    data: {
      value?: string | undefined;
      description?: string | undefined;
    };
    answer: {
      data: StoredSecret;
    };
  };
  "DELETE /workflow-secrets/{name}": {
    path: {
      name: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /provider-secrets": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: StoredSecret[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /provider-secrets": {
    path: null;
    query: null;
    data: {
      name: string;
      value: string;
      description?: string | undefined;
    };
    answer: {
      data: StoredSecret;
    };
  };
  "GET /provider-secrets/{name}": {
    path: {
      name: string;
    };
    query: null;
    body: null;
    answer: {
      data: StoredSecret;
    };
  };
  "PATCH /provider-secrets/{name}": {
    path: {
      name: string;
    };
    query: null;
    data: {
      value?: string | undefined;
      description?: string | undefined;
    };
    answer: {
      data: StoredSecret;
    };
  };
  "DELETE /provider-secrets/{name}": {
    path: {
      name: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /workflows/{id}/invoke-grants": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: InvokeGrant[];
    };
  };
  "POST /workflows/{id}/invoke-grants": {
    path: {
      id: string;
    };
    query: null;
    data: {
      roleId: string;
    };
    answer: {
      data: InvokeGrant;
    };
  };
  "DELETE /workflows/{id}/invoke-grants/{roleId}": {
    path: {
      id: string;
      roleId: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /workflows/{id}/watchers": {
    path: {
      id: string;
    };
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: WorkflowWatcher[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "DELETE /workflows/{id}/watchers/{userId}": {
    path: {
      id: string;
      userId: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "PUT /workflows/{id}/watchers/{userId}": {
    path: {
      id: string;
      userId: string;
    };
    query: null;
    body: null;
    answer: {
      data: WorkflowWatcher;
    };
  };
  "GET /workflows/{id}/versions": {
    path: {
      id: string;
    };
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
    };
    body: null;
    answer: {
      data: WorkflowVersionSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "GET /workflows/{id}/versions/{number}": {
    path: {
      id: string;
      number: string;
    };
    query: null;
    body: null;
    answer: {
      data: WorkflowVersion;
    };
  };
  "GET /workflows/{id}/versions/{number}/diff": {
    path: {
      id: string;
      number: string;
    };
    query: {
      to?: string | undefined;
    };
    body: null;
    answer: {
      data: WorkflowChange[];
    };
  };
  "POST /workflows/{id}/versions/{number}/publish": {
    path: {
      id: string;
      number: string;
    };
    query: null;
    body: null;
    answer: {
      data: Workflow;
    };
  };
  "POST /workflows/{id}/test": {
    path: {
      id: string;
    };
    query: null;
    body: {
      data: unknown;
      effects?: "REAL" | "NONE" | undefined;
      mocks?: { [name: string]: unknown } | undefined;
      until?: string | null | undefined;
    };
    answer: {
      data: StartedRun;
    };
  };
  "POST /workflows/{id}/runs": {
    path: {
      id: string;
    };
    query: null;
    data: unknown;
    answer: {
      data: StartedRun;
    };
  };
  "GET /workflows/{id}/runs": {
    path: {
      id: string;
    };
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      status?: string | undefined;
      origin?: string | undefined;
      callerUserId?: string | undefined;
      executeAsUserId?: string | undefined;
      parentRunId?: string | undefined;
      requestId?: string | undefined;
      errorCode?: string | undefined;
      acceptedSince?: string | undefined;
      acceptedUntil?: string | undefined;
      finishedSince?: string | undefined;
      finishedUntil?: string | undefined;
      durationMinMs?: number | undefined;
      orderBy?: "acceptedAt" | "-acceptedAt" | "finishedAt" | "-finishedAt" | undefined;
    };
    body: null;
    answer: {
      data: WorkflowRunSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /workflows/{id}/runs/{runId}/again": {
    path: {
      id: string;
      runId: string;
    };
    query: null;
    body: {
      from?: string | null | undefined;
      version?: "SAME" | "NEWEST" | undefined;
      data?: unknown;
    };
    answer: {
      data: StartedRun;
    };
  };
  "GET /workflow-overview": {
    path: null;
    query: {
      hours?: number | undefined;
    };
    body: null;
    answer: {
      data: WorkflowOverview;
    };
  };
  "GET /workflow-runs": {
    path: null;
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      status?: string | undefined;
      origin?: string | undefined;
      callerUserId?: string | undefined;
      executeAsUserId?: string | undefined;
      parentRunId?: string | undefined;
      requestId?: string | undefined;
      errorCode?: string | undefined;
      acceptedSince?: string | undefined;
      acceptedUntil?: string | undefined;
      finishedSince?: string | undefined;
      finishedUntil?: string | undefined;
      durationMinMs?: number | undefined;
      orderBy?: "acceptedAt" | "-acceptedAt" | "finishedAt" | "-finishedAt" | undefined;
      workflowId?: string | undefined;
    };
    body: null;
    answer: {
      data: WorkflowRunSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "GET /workflows/{id}/runs/{runId}": {
    path: {
      id: string;
      runId: string;
    };
    query: null;
    body: null;
    answer: {
      data: WorkflowRun;
    };
    events: WorkflowRunEvent;
  };
  "GET /workflows/{id}/runs/{runId}/definition": {
    path: {
      id: string;
      runId: string;
    };
    query: null;
    body: null;
    answer: {
      data: { [name: string]: unknown };
    };
  };
  "GET /workflows/{id}/runs/{runId}/steps": {
    path: {
      id: string;
      runId: string;
    };
    query: {
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      status?: string | undefined;
      kind?: string | undefined;
      path?: string | undefined;
      view?: "full" | "outline" | undefined;
    };
    body: null;
    answer: {
      data: WorkflowRunStep[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  "POST /workflows/{id}/runs/{runId}/cancel": {
    path: {
      id: string;
      runId: string;
    };
    query: null;
    body: null;
    answer: {
      data: WorkflowRun;
    };
  };
}
