// Generated from the service's OpenAPI document by `npm run types:client`.

export type ActionPermission = {
  action: "READ" | "CREATE" | "UPDATE" | "DELETE";
  isGranted: boolean;
  /** Whether the resource exposes its method */
  isExposed: boolean;
  /** Empty for an administrator */
  grantIds: string[];
  /** If false, the rows that the row filter (for CREATE, the check) of one of the grants allows */
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
  /** Names, never values */
  changedFields: string[];
  outcome: "SUCCEEDED" | "FAILED";
  address: string | null;
  requestId: string | null;
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

export type ChangePreview = {
  /** The statements in order */
  sql: string[];
  locks: ({
    schema: string;
    table: string;
    mode: "SHARE UPDATE EXCLUSIVE" | "SHARE" | "SHARE ROW EXCLUSIVE" | "ACCESS EXCLUSIVE";
    blocks: "READS_AND_WRITES" | "WRITES" | "SCHEMA_CHANGES";
    work: "NONE" | "SCAN" | "REWRITE";
    /** The row estimate of the last ANALYZE; null before the first */
    rowEstimate: number | null;
    /** Bytes on disk; null while another transaction holds an exclusive lock on the table */
    bytes: number | null;
  })[];
  failingRows: ({
    path: string;
    code: string;
    message: string;
    /** Null if the count exceeded its time limit */
    rows: number | null;
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

export type ColumnColors = ({
  value: string | number | boolean | null;
  color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
} | {
  from?: string | number;
  to?: string | number;
  color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
})[] | null;

export type ColumnFormat = {
  type: "text";
} | {
  type: "number";
  decimals?: number;
  grouping?: boolean;
} | {
  type: "currency";
  currency: string;
  decimals?: number;
} | {
  type: "percent";
  whole?: 1 | 100;
  decimals?: number;
} | {
  type: "bytes";
} | {
  type: "duration";
  unit?: "milliseconds" | "seconds" | "minutes" | "hours" | "days";
} | {
  type: "rating";
  max?: number;
} | {
  type: "date";
  style?: "short" | "medium" | "long";
} | {
  type: "datetime";
  style?: "short" | "medium" | "long";
  seconds?: boolean;
} | {
  type: "time";
  seconds?: boolean;
} | {
  type: "boolean";
  true?: string;
  false?: string;
} | {
  type: "email";
} | {
  type: "url";
} | {
  type: "phone";
} | {
  type: "image";
} | {
  type: "markdown";
} | {
  type: "code";
  language?: string;
} | {
  type: "json";
} | null;

export type Dashboard = {
  id: string;
  name: string;
  description: string;
  roleIds: string[];
  panels: Panel[];
  createdAt: string;
  updatedAt: string;
};

export type DataView = {
  id: string;
  name: string;
  description: string;
  resourceId: string;
  fields: string[] | null;
  where: { [name: string]: unknown } | null;
  orderBy: string[];
  limit: number | null;
  presentation: { [name: string]: unknown };
  roleIds: string[];
  createdAt: string;
  updatedAt: string;
};

export type FieldPermission = {
  name: string;
  grantIds: string[];
  everyRow: boolean;
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
  /** False if a column that the grant uses was dropped: the grant allows nothing */
  effective: boolean;
  /** Dropped columns that the grant uses */
  lost: ({
    part: "rowFilter" | "check" | "presets";
    /** The name that the grant uses */
    name: string;
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
  userId: string | null;
  createdAt: string;
  expiresAt: string;
};

export type InvokeGrant = {
  roleId: string;
  roleName: string;
};

export type MailTemplate = {
  id: string;
  key: "auth.reset" | "auth.registered" | "auth.verify" | "auth.invite" | "auth.email_change" | "auth.email_changed" | "auth.email_taken" | "auth.new_administrator";
  language: string;
  subject: string;
  text: string;
  html: string | null;
  /** Variables that the template may use */
  variables: string[];
  updatedAt: string;
};

export type Panel = {
  id: string;
  title: string;
  kind: "LIST" | "FIGURE" | "CHART";
  /** Null after the resource was dropped */
  resourceId: string | null;
  definition: { [name: string]: unknown };
  presentation: { [name: string]: unknown };
};

export type PermissionExplanation = {
  outcome: "ALLOWED" | "DENIED";
  refusal: {
    stage: "PARSE" | "AUTHENTICATE" | "PLAN" | "AUTHORIZE" | "COMPILE" | "BIND";
    status: number;
    errors: ({
      code: string;
      message: string;
      path?: string;
      /** The rule that denied the request; the response to the user omits it */
      reason: string | null;
    })[];
  } | null;
  action: "READ" | "CREATE" | "UPDATE" | "DELETE" | null;
  roles: {
    id: string;
    name: string;
  }[];
  /** The grants that allow the action; empty for an administrator */
  grants: (Grant & {
    roleName: string;
  })[];
  /** The part that the user can read of each relation in the request */
  relations: ({
    resourceId: string;
    schema: string;
    name: string;
    grants: (Grant & {
      roleName: string;
    })[];
    /** If false, the rows that match the row filter of one of the grants */
    everyRow: boolean;
    fields: FieldPermission[];
    hiddenFields: string[];
  })[];
  /** The SQL that the request would execute */
  sql: string | null;
  /** `$1`, `$2`, … of the SQL; the parameters of the credential check are omitted */
  parameters: ({
    source: string;
    value: string | null;
  })[];
};

export type ResealedValues = SealedValues & {
  /** Values that this call resealed */
  resealed: number;
};

export type Resource = ResourceSummary & ({
  description: string | null;
  comment: string | null;
  primaryKey: string[];
  uniqueKeys: string[][];
  columns: ({
    name: string;
    dataType: string;
    nullable: boolean;
    hasDefault: boolean;
    identity: "ALWAYS" | "BY_DEFAULT" | null;
    generated: boolean;
  })[];
  /** Foreign keys from and to it, by their names in the Data API */
  relations: ({
    name: string;
    kind: "ONE" | "MANY";
    target: {
      id: string;
      schema: string;
      name: string;
    };
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
  /** Labels of an enum, in order */
  values: string[] | null;
  label: string | null;
  format: ColumnFormat;
  colors: ColumnColors;
  /** The table column that supplies the label, format and colors */
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
  /** The grants of the user's roles, including those that are no longer effective */
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
  /** The row estimate of the last ANALYZE; null before the first, and for a view */
  rowEstimate: number | null;
};

export type Role = {
  id: string;
  name: string;
  description: string;
  apiAccess: boolean;
  tokenCreation: boolean;
  isAdministrators: boolean;
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
  /** Values that `ROWHOUSE_SECRET` opens */
  current: number;
  /** Values that one of `ROWHOUSE_OTHER_SECRETS` opens */
  other: number;
  /** Values that no secret opens; they stay unchanged */
  unreadable: number;
  /** The first hundred of these */
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
  /** The effective value: the one that was set, or the default */
  value?: unknown;
  default?: unknown;
  isSet: boolean;
  /** A token cannot change it */
  sessionOnly: boolean;
  description: string;
  /** JSON Schema of its values */
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
  /** An id that the caller chooses, to cancel the run */
  id?: string;
  /** One or more statements, separated by semicolons */
  sql: string;
  /** Values of $1, $2, … of a single statement; send numbers as text to preserve their digits */
  parameters?: (string | number | boolean | null)[];
  readOnly?: boolean;
  /** Maximum number of rows per result */
  rowsMax?: number;
  timeoutMs?: number;
};

export type SqlResult = {
  /** The first word of the statement */
  command: string;
  columns: {
    name: string;
    type: string;
  }[];
  /** Values as in the Data API */
  rows: unknown[][];
  /** Rows returned or changed; null if unknown */
  rowCount: number | null;
  /** Whether rows were omitted */
  truncated: boolean;
};

export type StartedRun = {
  run: string;
};

export type Table = {
  resourceId: string;
  schema: string;
  name: string;
  kind: "TABLE" | "PARTITIONED_TABLE" | "FOREIGN_TABLE";
  comment: string | null;
  /** In the form that creating a table accepts */
  definition: {
    name: string;
    columns: ({
      name: string;
      dataType: string;
      primaryKey?: boolean;
      default?: string;
      identity?: "ALWAYS";
      nullable?: boolean;
      check?: string;
      checkMessage?: string;
      foreignKey?: {
        targetSchema: string;
        targetTable: string;
        targetColumn: string;
        onDelete?: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT";
      };
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
    /** Bytes on disk; null while another transaction holds an exclusive lock on the table */
    bytes: number | null;
  })[];
  /** The row estimate of the last ANALYZE; null before the first */
  rowEstimate: number | null;
  /** Bytes on disk; null while another transaction holds an exclusive lock on the table */
  tableBytes: number | null;
  /** Bytes on disk; null while another transaction holds an exclusive lock on the table */
  indexBytes: number | null;
};

export type TableAlteration = {
  changes: ({
    name: string;
    dataType: string;
    default?: string;
    identity?: "ALWAYS";
    nullable?: boolean;
    check?: string;
    checkMessage?: string;
    foreignKey?: {
      targetSchema: string;
      targetTable: string;
      targetColumn: string;
      onDelete?: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT";
    };
    kind: "addColumn";
    comment?: string | null;
  } | {
    kind: "changeColumn";
    column: string;
    dataType?: string;
    using?: string;
    nullable?: boolean;
    default?: string | null;
    identity?: "ALWAYS" | null;
    comment?: string | null;
    confirm?: string;
  } | {
    kind: "renameColumn";
    column: string;
    name: string;
  } | {
    kind: "dropColumn";
    column: string;
    cascade?: boolean;
    confirm?: string;
  } | {
    kind: "addPrimaryKey";
    columns: string[];
  } | {
    kind: "addUnique";
    name?: string;
    columns: string[];
    nullsNotDistinct?: boolean;
  } | {
    kind: "addCheck";
    name?: string;
    check: string;
    checkMessage?: string;
  } | {
    kind: "changeCheck";
    constraint: string;
    checkMessage: string | null;
  } | {
    kind: "addForeignKey";
    name?: string;
    columns: string[];
    targetSchema: string;
    targetTable: string;
    targetColumns: string[];
    onDelete?: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT";
  } | {
    kind: "dropConstraint";
    constraint: string;
    cascade?: boolean;
    confirm?: string;
  } | {
    kind: "addIndex";
    name?: string;
    keys: ({
      column: string;
      descending?: boolean;
      nulls?: "FIRST" | "LAST";
    } | {
      expression: string;
      descending?: boolean;
      nulls?: "FIRST" | "LAST";
    })[];
    unique?: boolean;
    method?: "btree" | "hash" | "gin" | "gist" | "spgist" | "brin";
    where?: string;
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
    primaryKey?: boolean;
    default?: string;
    identity?: "ALWAYS";
    nullable?: boolean;
    check?: string;
    checkMessage?: string;
    foreignKey?: {
      targetSchema: string;
      targetTable: string;
      targetColumn: string;
      onDelete?: "RESTRICT" | "CASCADE" | "SET NULL" | "NO ACTION" | "SET DEFAULT";
    };
  })[];
};

export type TableSummary = {
  resourceId: string | null;
  schema: string;
  name: string;
  comment: string | null;
  columns: number;
  /** The row estimate of the last ANALYZE; null before the first */
  rowEstimate: number | null;
  /** Bytes on disk; null while another transaction holds an exclusive lock on the table */
  tableBytes: number | null;
  /** Bytes on disk; null while another transaction holds an exclusive lock on the table */
  indexBytes: number | null;
};

export type Token = {
  id: string;
  userId: string;
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
};

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
};

export type UserPermissions = {
  userId: string;
  active: boolean;
  roles: {
    id: string;
    name: string;
  }[];
  /** Whether the user may do everything that is exposed */
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
  /** Its SELECT, every name with its schema */
  definition: string;
  comment: string | null;
  columns: ({
    name: string;
    dataType: string;
    comment: string | null;
    /** The table column that supplies the values directly; null if computed */
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

export type ViewRefresh = {
  state: "NONE" | "RUNNING" | "SUCCEEDED" | "FAILED";
  /** Whether others can read the view during the refresh */
  concurrently: boolean | null;
  startedAt: string | null;
  finishedAt: string | null;
  /** The time of the latest successful refresh */
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

export type Workflow = {
  id: string;
  slug: string;
  name: string;
  enabled: boolean;
  /** The draft */
  definition?: unknown;
  published: {
    versionId: string;
    number: number;
    publishedAt: string;
  } | null;
  /** Why the published version cannot run as defined */
  problem: string | null;
  /** The next time of its schedule */
  nextRunAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type WorkflowChange = {
  kind: "STEP_ADDED" | "STEP_REMOVED" | "STEP_MOVED" | "CHANGED";
  /** The step's id; null outside steps */
  step: string | null;
  /** A JSON pointer into the requested version */
  from: string | null;
  /** A JSON pointer into the version to compare with */
  to: string | null;
  before?: unknown;
  after?: unknown;
};

export type WorkflowRun = WorkflowRunSummary & ({
  cancelRequestedAt: string | null;
  input?: unknown;
  result?: unknown;
  /** The first 200 */
  steps: WorkflowRunStep[];
  stepCount: number;
});

export type WorkflowRunStep = {
  path: string;
  kind: string;
  status: "STARTED" | "WAITING" | "SUCCEEDED" | "FAILED";
  attempt: number;
  resumeAt: string | null;
  childRunId: string | null;
  /** The input with its templates evaluated; null if the step has none, or if it is too large */
  input?: unknown;
  output?: unknown;
  error: {
    code: string;
    message: string;
    step: string | null;
  } | null;
  startedAt: string;
  finishedAt: string | null;
};

export type WorkflowRunSummary = {
  id: string;
  workflowId: string;
  workflowSlug: string;
  versionId: string;
  /** Null for a test of the draft */
  versionNumber: number | null;
  origin: "WEBHOOK" | "MANUAL" | "SCHEDULE" | "EVENT" | "WORKFLOW" | "TEST" | "AGAIN";
  status: "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  callerUserId: string | null;
  tokenId: string | null;
  tokenPlane: "api" | "admin" | null;
  /** For a deleted user, the value at deletion */
  callerName: string | null;
  executeAsUserId: string;
  /** For a deleted user, the value at deletion */
  executeAsName: string | null;
  requestId: string | null;
  parentRunId: string | null;
  causedByRunId: string | null;
  error: {
    code: string;
    message: string;
    step: string | null;
  } | null;
  acceptedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
};

export type WorkflowSecret = {
  name: string;
  description: string;
  createdAt: string;
  updatedAt: string;
  /** Slugs of the workflows whose published version names it, at most 100 */
  usedBy: string[];
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

/** The operations by method and path. */
export interface AdminOperations {
  /** Get this document */
  "GET /openapi": {
    path: null;
    query: null;
    body: null;
    answer: { [name: string]: unknown };
  };
  /** Get the Data API as a role sees it */
  "GET /openapi/data": {
    path: null;
    query: {
      /** The role's id */
      role: string;
    };
    body: null;
    answer: { [name: string]: unknown };
  };
  /** List the schemas of tables and views */
  "GET /schema": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
    };
    body: null;
    answer: {
      data: Schema[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Create a schema */
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
  /** Drop an empty schema */
  "DELETE /schema/{schema}": {
    path: {
      schema: string;
    };
    query: {
      /** The schema's name; required */
      confirm?: string;
    };
    body: null;
    answer: { data?: never };
  };
  /** List the tables of a schema */
  "GET /schema/{schema}/tables": {
    path: {
      schema: string;
    };
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
    };
    body: null;
    answer: {
      data: TableSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Create a table */
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
  /** Get the SQL that would create a table, without executing it */
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
  /** Get a table: its definition, size and dependents */
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
  /** Alter a table */
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
  /** Drop a table */
  "DELETE /schema/{schema}/tables/{table}": {
    path: {
      schema: string;
      table: string;
    };
    query: {
      /** The table's name; required */
      confirm?: string;
      /** Whether to drop dependent views and foreign keys as well */
      cascade?: "true" | "false";
    };
    body: null;
    answer: { data?: never };
  };
  /** Preview what an alteration would execute, lock, lose and fail on */
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
  /** Preview what dropping a table would execute, lock and lose */
  "POST /schema/{schema}/tables/{table}/drop-preview": {
    path: {
      schema: string;
      table: string;
    };
    query: null;
    data: {
      cascade?: boolean;
    };
    answer: {
      data: ChangePreview;
    };
  };
  /** List the views of a schema */
  "GET /schema/{schema}/views": {
    path: {
      schema: string;
    };
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
    };
    body: null;
    answer: {
      data: ViewSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Create a view */
  "POST /schema/{schema}/views": {
    path: {
      schema: string;
    };
    query: null;
    data: {
      name: string;
      materialized?: boolean;
      definition: string;
      comment?: string | null;
      indexes?: {
        columns: string[];
        unique?: boolean;
      }[];
    };
    answer: {
      data: {
        resourceId: string;
        schema: string;
        name: string;
      };
    };
  };
  /** Get the SQL that would create a view, without executing it */
  "POST /schema/{schema}/views/preview": {
    path: {
      schema: string;
    };
    query: null;
    data: {
      name: string;
      materialized?: boolean;
      definition: string;
      comment?: string | null;
      indexes?: {
        columns: string[];
        unique?: boolean;
      }[];
    };
    answer: {
      data: {
        /** The statements in order */
        sql: string[];
      };
    };
  };
  /** Get a view: its definition, its columns and their source columns */
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
  /** Replace the definition of a view; exposure and grants stay */
  "PUT /schema/{schema}/views/{view}": {
    path: {
      schema: string;
      view: string;
    };
    query: null;
    data: {
      definition: string;
      comment?: string | null;
      indexes?: {
        columns: string[];
        unique?: boolean;
      }[];
    };
    answer: {
      data: View;
    };
  };
  /** Drop a view without dependents, with its exposure and grants */
  "DELETE /schema/{schema}/views/{view}": {
    path: {
      schema: string;
      view: string;
    };
    query: {
      /** The view's name; required */
      confirm?: string;
    };
    body: null;
    answer: { data?: never };
  };
  /** Get the SQL that would replace or drop a view, without executing it */
  "POST /schema/{schema}/views/{view}/preview": {
    path: {
      schema: string;
      view: string;
    };
    query: null;
    data: {
      definition: string;
      comment?: string | null;
      indexes?: {
        columns: string[];
        unique?: boolean;
      }[];
      action: "replace";
    } | {
      action: "drop";
    };
    answer: {
      data: {
        /** The statements in order */
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
        /** The statements in order */
        sql: string[];
      };
    };
  };
  /** Refresh a materialized view in the background */
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
  /** Get the state of the latest refresh */
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
  /** List the tables and views, including hidden ones */
  "GET /resources": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
      schema?: string;
      kind?: "TABLE" | "VIEW";
      /** Whether any method is exposed */
      exposed?: "true" | "false";
    };
    body: null;
    answer: {
      data: ResourceSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Change several resources together: all of them, or none */
  "PATCH /resources": {
    path: null;
    query: null;
    data: ({
      exposedMethods?: ("GET" | "POST" | "PATCH" | "DELETE")[];
      label?: string | null;
      description?: string | null;
      id: string;
    })[];
    answer: {
      data: (ResourceSummary & ({
        description: string | null;
      }))[];
    };
  };
  /** Get a table or view with its columns, keys and relations */
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
  /** Expose methods, or hide the resource; change its label and description */
  "PATCH /resources/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      exposedMethods?: ("GET" | "POST" | "PATCH" | "DELETE")[];
      label?: string | null;
      description?: string | null;
    };
    answer: {
      data: Resource;
    };
  };
  /** List the columns of a table or view with their presentation */
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
  /** Get a column with its presentation */
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
  /** Set the label, format and colors of a column; null removes a value */
  "PATCH /resources/{id}/columns/{column}": {
    path: {
      id: string;
      column: string;
    };
    query: null;
    data: {
      label?: string | null;
      format?: ColumnFormat;
      colors?: ColumnColors;
    };
    answer: {
      data: ResourceColumn;
    };
  };
  /** List the roles */
  "GET /roles": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
    };
    body: null;
    answer: {
      data: Role[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Create a role */
  "POST /roles": {
    path: null;
    query: null;
    data: {
      name: string;
      description?: string;
      apiAccess?: boolean;
      tokenCreation?: boolean;
    };
    answer: {
      data: Role;
    };
  };
  /** Get a role */
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
  /** Change a role */
  "PATCH /roles/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name?: string;
      description?: string;
      apiAccess?: boolean;
      tokenCreation?: boolean;
    };
    answer: {
      data: Role;
    };
  };
  /** Delete a role with its memberships and grants */
  "DELETE /roles/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List the members of a role */
  "GET /roles/{id}/members": {
    path: {
      id: string;
    };
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
    };
    body: null;
    answer: {
      data: RoleMember[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Add a user to a role */
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
  /** Remove a user from a role */
  "DELETE /roles/{id}/members/{userId}": {
    path: {
      id: string;
      userId: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List the grants */
  "GET /grants": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
      roleId?: string;
      resourceId?: string;
      action?: "READ" | "CREATE" | "UPDATE" | "DELETE";
    };
    body: null;
    answer: {
      data: Grant[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Grant a role an action on a resource */
  "POST /grants": {
    path: null;
    query: null;
    data: {
      /** Null for every field, including fields added later */
      fields?: string[] | null;
      /** A filter in the language of `where`, with `$USER.<column>` and `$NOW` */
      rowFilter?: { [name: string]: unknown } | null;
      /** The condition on a new row; the default is the row filter */
      check?: { [name: string]: unknown } | null;
      /** Columns that the service sets: a literal, null or a variable */
      presets?: { [name: string]: unknown };
      roleId: string;
      resourceId: string;
      action: "READ" | "CREATE" | "UPDATE" | "DELETE";
    };
    answer: {
      data: Grant;
    };
  };
  /** Get a grant, with current column names */
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
  /** Change the terms of a grant */
  "PATCH /grants/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      /** Null for every field, including fields added later */
      fields?: string[] | null;
      /** A filter in the language of `where`, with `$USER.<column>` and `$NOW` */
      rowFilter?: { [name: string]: unknown } | null;
      /** The condition on a new row; the default is the row filter */
      check?: { [name: string]: unknown } | null;
      /** Columns that the service sets: a literal, null or a variable */
      presets?: { [name: string]: unknown };
    };
    answer: {
      data: Grant;
    };
  };
  /** Delete a grant */
  "DELETE /grants/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List the DataViews */
  "GET /data-views": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
      resourceId?: string;
    };
    body: null;
    answer: {
      data: DataView[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Create a DataView */
  "POST /data-views": {
    path: null;
    query: null;
    data: {
      name: string;
      description?: string;
      resourceId: string;
      /** Null for every field that the reader may see */
      fields?: string[] | null;
      /** A filter in the language of `where` */
      where?: { [name: string]: unknown } | null;
      orderBy?: string[];
      /** Maximum number of rows */
      limit?: number | null;
      /** Display options of a front end, stored unchanged */
      presentation?: { [name: string]: unknown };
      /** Roles whose members may open it; Administrators always may */
      roleIds?: string[];
    };
    answer: {
      data: DataView;
    };
  };
  /** Get a DataView */
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
  /** Change a DataView; its resource cannot change */
  "PATCH /data-views/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name?: string;
      description?: string;
      /** Null for every field that the reader may see */
      fields?: string[] | null;
      /** A filter in the language of `where` */
      where?: { [name: string]: unknown } | null;
      orderBy?: string[];
      /** Maximum number of rows */
      limit?: number | null;
      /** Display options of a front end, stored unchanged */
      presentation?: { [name: string]: unknown };
      /** Roles whose members may open it; Administrators always may */
      roleIds?: string[];
    };
    answer: {
      data: DataView;
    };
  };
  /** Delete a DataView */
  "DELETE /data-views/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List the dashboards */
  "GET /dashboards": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
    };
    body: null;
    answer: {
      data: Dashboard[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Create a dashboard */
  "POST /dashboards": {
    path: null;
    query: null;
    data: {
      name: string;
      description?: string;
      /** Roles whose members may open it; Administrators always may */
      roleIds?: string[];
      panels?: ({
        kind: "LIST";
        id: string;
        title?: string;
        resourceId: string;
        /** Display options of a front end, stored unchanged */
        presentation?: { [name: string]: unknown };
        definition: {
          /** Null for every field that the reader may see */
          fields?: string[] | null;
          /** A filter in the language of `where` */
          where?: { [name: string]: unknown } | null;
          orderBy?: string[];
          limit?: number | null;
        };
      } | {
        kind: "FIGURE";
        id: string;
        title?: string;
        resourceId: string;
        /** Display options of a front end, stored unchanged */
        presentation?: { [name: string]: unknown };
        definition: {
          aggregate: string[];
          /** A filter in the language of `where` */
          where?: { [name: string]: unknown } | null;
        };
      } | {
        kind: "CHART";
        id: string;
        title?: string;
        resourceId: string;
        /** Display options of a front end, stored unchanged */
        presentation?: { [name: string]: unknown };
        definition: {
          aggregate: string[];
          groupBy: string[];
          /** A filter in the language of `where` */
          where?: { [name: string]: unknown } | null;
          /** A filter in the language of `where` */
          having?: { [name: string]: unknown } | null;
          orderBy?: string[];
          limit?: number | null;
        };
      })[];
    };
    answer: {
      data: Dashboard;
    };
  };
  /** Get a dashboard */
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
  /** Change a dashboard; panels replaces all panels */
  "PATCH /dashboards/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name?: string;
      description?: string;
      /** Roles whose members may open it; Administrators always may */
      roleIds?: string[];
      panels?: ({
        kind: "LIST";
        id: string;
        title?: string;
        resourceId: string;
        /** Display options of a front end, stored unchanged */
        presentation?: { [name: string]: unknown };
        definition: {
          /** Null for every field that the reader may see */
          fields?: string[] | null;
          /** A filter in the language of `where` */
          where?: { [name: string]: unknown } | null;
          orderBy?: string[];
          limit?: number | null;
        };
      } | {
        kind: "FIGURE";
        id: string;
        title?: string;
        resourceId: string;
        /** Display options of a front end, stored unchanged */
        presentation?: { [name: string]: unknown };
        definition: {
          aggregate: string[];
          /** A filter in the language of `where` */
          where?: { [name: string]: unknown } | null;
        };
      } | {
        kind: "CHART";
        id: string;
        title?: string;
        resourceId: string;
        /** Display options of a front end, stored unchanged */
        presentation?: { [name: string]: unknown };
        definition: {
          aggregate: string[];
          groupBy: string[];
          /** A filter in the language of `where` */
          where?: { [name: string]: unknown } | null;
          /** A filter in the language of `where` */
          having?: { [name: string]: unknown } | null;
          orderBy?: string[];
          limit?: number | null;
        };
      })[];
    };
    answer: {
      data: Dashboard;
    };
  };
  /** Delete a dashboard with its panels */
  "DELETE /dashboards/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List the users, including system accounts */
  "GET /users": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
      active?: "true" | "false";
    };
    body: null;
    answer: {
      data: User[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Create a user with a verified address */
  "POST /users": {
    path: null;
    query: null;
    data: {
      email: string;
      name?: string;
      password?: string;
      timeZone?: string | null;
      language?: string | null;
    };
    answer: {
      data: User;
    };
  };
  /** Get a user with their roles */
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
  /** Change a user */
  "PATCH /users/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      /** Unverified unless `emailVerified` is true: the new address receives a link. The old address receives a notice, and links sent to it become invalid */
      email?: string;
      /** Whether the administrator vouches for the address */
      emailVerified?: boolean;
      name?: string;
      timeZone?: string | null;
      language?: string | null;
      active?: boolean;
    };
    answer: {
      data: User;
    };
  };
  /** Deactivate a user and revoke their sessions */
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
  /** Activate a user */
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
  /** List the actions that a user may perform, and the grants that allow them */
  "GET /users/{id}/permissions": {
    path: {
      id: string;
    };
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
      schema?: string;
    };
    body: null;
    answer: {
      data: UserPermissions;
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Explain the response to a user's request without executing it */
  "POST /permissions/explain": {
    path: null;
    query: null;
    data: {
      userId: string;
      method: "GET" | "POST" | "PATCH" | "DELETE";
      path: string;
      query?: string;
      /** As in the request: `{ "data": … }` */
      body?: unknown;
    };
    answer: {
      data: PermissionExplanation;
    };
  };
  /** List the active sessions of a user */
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
  /** Revoke all sessions of a user */
  "DELETE /users/{id}/sessions": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** Revoke a session of a user */
  "DELETE /users/{id}/sessions/{sessionId}": {
    path: {
      id: string;
      sessionId: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List the tokens of all users */
  "GET /tokens": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
      userId?: string;
      state?: "active" | "deactivated" | "expired" | "revoked";
    };
    body: null;
    answer: {
      data: Token[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Create a token for a user; its secret is returned only once */
  "POST /tokens": {
    path: null;
    query: null;
    data: {
      userId: string;
      name: string;
      description?: string;
      plane: "api" | "admin";
      /** Days */
      lifetime?: number;
    };
    answer: {
      data: TokenWithSecret;
    };
  };
  /** Get a token */
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
  /** Change the name or description of a token */
  "PATCH /tokens/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name?: string;
      description?: string;
    };
    answer: {
      data: Token;
    };
  };
  /** Give a token a new secret and a new expiry */
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
  /** Deactivate a token */
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
  /** Activate a deactivated token */
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
  /** Revoke a token permanently */
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
  /** List the invitations */
  "GET /invitations": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
    };
    body: null;
    answer: {
      data: Invitation[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Invite a person by mail */
  "POST /invitations": {
    path: null;
    query: null;
    data: {
      email: string;
      name?: string;
      language?: string | null;
      roleIds: string[];
    };
    answer: {
      data: Invitation;
    };
  };
  /** Get an invitation */
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
  /** Revoke an invitation */
  "DELETE /invitations/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List the templates of account mails */
  "GET /templates": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
      key?: "auth.reset" | "auth.registered" | "auth.verify" | "auth.invite" | "auth.email_change" | "auth.email_changed" | "auth.email_taken" | "auth.new_administrator";
      language?: string;
    };
    body: null;
    answer: {
      data: MailTemplate[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Add a language to a mail */
  "POST /templates": {
    path: null;
    query: null;
    data: {
      key: "auth.reset" | "auth.registered" | "auth.verify" | "auth.invite" | "auth.email_change" | "auth.email_changed" | "auth.email_taken" | "auth.new_administrator";
      language: string;
      subject: string;
      text: string;
      html?: string | null;
    };
    answer: {
      data: MailTemplate;
    };
  };
  /** Get a template */
  "GET /templates/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: MailTemplate;
    };
  };
  /** Change a template; it is tested with example values before it is stored */
  "PATCH /templates/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      subject?: string;
      text?: string;
      html?: string | null;
    };
    answer: {
      data: MailTemplate;
    };
  };
  /** Delete a language of a mail */
  "DELETE /templates/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List the providers for sign-in */
  "GET /auth-providers": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
    };
    body: null;
    answer: {
      data: AuthProvider[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Add a provider; its client secret cannot be read afterwards */
  "POST /auth-providers": {
    path: null;
    query: null;
    data: {
      key: string;
      kind: "google" | "github" | "oidc";
      name: string;
      clientId: string;
      clientSecret: string;
      issuer?: string;
      allowedDomains?: string[];
      roleId?: string | null;
      enabled?: boolean;
    };
    answer: {
      data: AuthProvider;
    };
  };
  /** Get a provider */
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
  /** Change a provider */
  "PATCH /auth-providers/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name?: string;
      clientId?: string;
      clientSecret?: string;
      issuer?: string;
      allowedDomains?: string[];
      roleId?: string | null;
      enabled?: boolean;
    };
    answer: {
      data: AuthProvider;
    };
  };
  /** Delete a provider */
  "DELETE /auth-providers/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List every setting with its value, default and type */
  "GET /settings": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: Setting[];
    };
  };
  /** Change several settings together; null restores a default */
  "PATCH /settings": {
    path: null;
    query: null;
    data: {
      /** Lifetime of a session in hours, from sign-in; use does not extend it */
      "auth.session_ttl_hours"?: number | null;
      /** Whether people can register an account */
      "auth.registration_enabled"?: boolean | null;
      /** Id of the role of registered accounts; never Administrators */
      "auth.registration_role"?: string | null;
      /** Whether sign-in requires a verified email address */
      "auth.require_email_verification"?: boolean | null;
      /** Maximum authentication attempts per minute from one address, over all processes */
      "auth.attempts_per_minute"?: number | null;
      /** Maximum requests per minute from one address that may send a mail */
      "auth.mails_per_minute"?: number | null;
      /** Lifetime of a token in days if none is given */
      "api_keys.default_ttl_days"?: number | null;
      /** Number of days before its expiry from which a token is flagged */
      "api_keys.rotation_warning_days"?: number | null;
      /** Number of days after which revoked and expired tokens are deleted */
      "api_keys.purge_after_days"?: number | null;
      /** Maximum wait of a webhook call in milliseconds */
      "workflows.max_sync_wait_ms"?: number | null;
      /** Number of days for which finished runs are stored */
      "workflows.run_retention_days"?: number | null;
      /** Hosts (`name` or `name:port`) with non-public addresses that workflows may call */
      "workflows.allowed_hosts"?: string[] | null;
      /** Public hosts (`name`, `name:port`, or `*.name` for all subdomains) that workflows may call; null allows all */
      "workflows.public_hosts"?: string[] | null;
      /** Hosts (`name` or `name:port`) of sign-in providers with non-public addresses that may be called */
      "auth.provider_hosts"?: string[] | null;
      /** IANA time zone in which days begin and end, for users without their own */
      "system.timezone"?: string | null;
      /** Base URL of links in mails */
      "system.public_url"?: string | null;
      /** Origins whose pages may call the API */
      "security.cors_origins"?: string[] | null;
      /** Proxies, by address or network, whose `X-Forwarded-For` is trusted */
      "security.trusted_proxies"?: string[] | null;
      /** Maximum requests per minute from one address; 0 for no limit */
      "security.requests_per_minute"?: number | null;
      /** Number of rows of a list without `limit`; at most `data.max_limit` */
      "data.default_limit"?: number | null;
      /** The highest `limit` */
      "data.max_limit"?: number | null;
      /** Maximum number of parts in a filter */
      "data.max_filter_nodes"?: number | null;
      /** Maximum number of levels in a filter */
      "data.max_filter_depth"?: number | null;
      /** Maximum number of values in a list of a filter */
      "data.max_in_values"?: number | null;
      /** Maximum number of rows that one POST creates */
      "data.max_array_rows"?: number | null;
      /** The highest `max_affected` */
      "data.max_affected"?: number | null;
      /** Maximum number of relations in a path */
      "data.max_relation_depth"?: number | null;
      /** Rows of a to-many list where `deep` gives no `limit`; `meta.more` names lists that have more */
      "data.max_related_rows"?: number | null;
      /** Bytes of an answer at most; beyond that 400, and exports */
      "data.max_response_bytes"?: number | null;
      /** Bytes that large answers hold at once in one process; further ones wait */
      "data.max_response_bytes_at_once"?: number | null;
      /** Maximum number of concurrent exports in one process; each uses a database connection */
      "data.max_exports"?: number | null;
      /** Maximum number of concurrent exports of one user in one process */
      "data.max_exports_per_user"?: number | null;
      /** Maximum duration of a request's statement in milliseconds; then 504 */
      "data.statement_timeout_ms"?: number | null;
      /** Maximum duration of an export in milliseconds */
      "data.export_timeout_ms"?: number | null;
      /** Maximum time in milliseconds during which the reader of an export reads nothing */
      "data.export_stall_ms"?: number | null;
      /** Maximum duration of a materialized view's refresh in milliseconds */
      "views.refresh_timeout_ms"?: number | null;
      /** Maximum size of a body in bytes */
      "limits.body_bytes"?: number | null;
      /** Whether the MCP server is enabled */
      "mcp.enabled"?: boolean | null;
      /** Whether the SQL console accepts tokens of the admin plane */
      "sql_console.allow_api_tokens"?: boolean | null;
      /** Number of rows of a result without `rowsMax` */
      "sql_console.default_rows"?: number | null;
      /** The highest `rowsMax` */
      "sql_console.max_rows"?: number | null;
      /** Maximum size in bytes of all values in the results of an SQL console run */
      "sql_console.max_bytes"?: number | null;
      /** Maximum duration of a run in milliseconds without `timeoutMs` */
      "sql_console.default_timeout_ms"?: number | null;
      /** The highest `timeoutMs` */
      "sql_console.max_timeout_ms"?: number | null;
      /** Maximum number of concurrent SQL console runs, over all processes; 0 disables the console */
      "sql_console.max_runs"?: number | null;
    };
    answer: {
      data: Setting[];
    };
  };
  /** Run SQL */
  "POST /sql": {
    path: null;
    query: null;
    data: SqlRequest;
    answer: {
      data: SqlAnswer;
    };
  };
  /** Cancel a run */
  "DELETE /sql/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** Count the encrypted values by the secret that opens them */
  "GET /sealed-values": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: SealedValues;
    };
  };
  /** Encrypt the values of ROWHOUSE_OTHER_SECRETS with ROWHOUSE_SECRET */
  "POST /sealed-values/reseal": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: ResealedValues;
    };
  };
  /** List the audit log */
  "GET /audit-log": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
      action?: string;
      actorUserId?: string;
      actorTokenId?: string;
      targetKind?: string;
      targetId?: string;
      changedField?: string;
      outcome?: "SUCCEEDED" | "FAILED";
      address?: string;
      requestId?: string;
      /** Inclusive lower bound */
      since?: string;
      /** Exclusive upper bound */
      until?: string;
    };
    body: null;
    answer: {
      data: AuditLogEntry[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** List the workflows */
  "GET /workflows": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
    };
    body: null;
    answer: {
      data: Workflow[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Create a workflow as a draft */
  "POST /workflows": {
    path: null;
    query: null;
    data: {
      slug: string;
      name: string;
      /** A trigger and a tree of steps; see docs/workflows.md */
      definition: { [name: string]: unknown };
    };
    answer: {
      data: Workflow;
    };
  };
  /** Get a workflow */
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
  /** Change the slug, name or draft; published versions stay unchanged */
  "PATCH /workflows/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      slug?: string;
      name?: string;
      /** A trigger and a tree of steps; see docs/workflows.md */
      definition?: { [name: string]: unknown };
    };
    answer: {
      data: Workflow;
    };
  };
  /** Delete a workflow with its versions, grants and history */
  "DELETE /workflows/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** Publish the draft as a new version */
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
  /** Enable a published workflow */
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
  /** Disable a workflow; accepted runs continue */
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
  /** List the secrets of workflows, without their values */
  "GET /workflow-secrets": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
    };
    body: null;
    answer: {
      data: WorkflowSecret[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Create an encrypted secret that workflows name as {{secrets.NAME}} */
  "POST /workflow-secrets": {
    path: null;
    query: null;
    data: {
      name: string;
      /** Never returned */
      value: string;
      description?: string;
    };
    answer: {
      data: WorkflowSecret;
    };
  };
  /** Get a secret, without its value */
  "GET /workflow-secrets/{name}": {
    path: {
      name: string;
    };
    query: null;
    body: null;
    answer: {
      data: WorkflowSecret;
    };
  };
  /** Change a secret's value or description; the next step that uses the secret gets the new value */
  "PATCH /workflow-secrets/{name}": {
    path: {
      name: string;
    };
    query: null;
    data: {
      /** Never returned */
      value?: string;
      description?: string;
    };
    answer: {
      data: WorkflowSecret;
    };
  };
  /** Delete a secret; steps that name it fail from now on */
  "DELETE /workflow-secrets/{name}": {
    path: {
      name: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List the roles whose members may call an authenticated webhook */
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
  /** Allow a role's members to call the webhook */
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
  /** Revoke a role's right to call the webhook */
  "DELETE /workflows/{id}/invoke-grants/{roleId}": {
    path: {
      id: string;
      roleId: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  /** List the published versions of a workflow */
  "GET /workflows/{id}/versions": {
    path: {
      id: string;
    };
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
    };
    body: null;
    answer: {
      data: WorkflowVersionSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Get a version with its definition */
  "GET /workflows/{id}/versions/{number}": {
    path: {
      id: string;
      /** The number of a published version */
      number: string;
    };
    query: null;
    body: null;
    answer: {
      data: WorkflowVersion;
    };
  };
  /** Compare a version with another version or the draft */
  "GET /workflows/{id}/versions/{number}/diff": {
    path: {
      id: string;
      /** The number of a published version */
      number: string;
    };
    query: {
      /** `draft`, or the number of a published version */
      to?: string;
    };
    body: null;
    answer: {
      data: WorkflowChange[];
    };
  };
  /** Publish an earlier version again under the next number; the draft stays unchanged */
  "POST /workflows/{id}/versions/{number}/publish": {
    path: {
      id: string;
      /** The number of a published version */
      number: string;
    };
    query: null;
    body: null;
    answer: {
      data: Workflow;
    };
  };
  /** Run the draft once, even if the workflow is unpublished */
  "POST /workflows/{id}/test": {
    path: {
      id: string;
    };
    query: null;
    data: unknown;
    answer: {
      data: StartedRun;
    };
  };
  /** Run the published version once; not for webhooks, which are called directly */
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
  /** List the runs of a workflow */
  "GET /workflows/{id}/runs": {
    path: {
      id: string;
    };
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
      /** One or more, separated by commas */
      status?: string;
      /** One or more, separated by commas */
      origin?: string;
      callerUserId?: string;
      executeAsUserId?: string;
      parentRunId?: string;
      requestId?: string;
      errorCode?: string;
      /** Inclusive lower bound */
      acceptedSince?: string;
      /** Exclusive upper bound */
      acceptedUntil?: string;
      finishedSince?: string;
      finishedUntil?: string;
      /** From the first claim to the end */
      durationMinMs?: number;
      orderBy?: "acceptedAt" | "-acceptedAt" | "finishedAt" | "-finishedAt";
    };
    body: null;
    answer: {
      data: WorkflowRunSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Repeat a finished run with the same version, input and user */
  "POST /workflows/{id}/runs/{runId}/again": {
    path: {
      id: string;
      runId: string;
    };
    query: null;
    body: null;
    answer: {
      data: StartedRun;
    };
  };
  /** List the runs of all workflows */
  "GET /workflow-runs": {
    path: null;
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
      /** One or more, separated by commas */
      status?: string;
      /** One or more, separated by commas */
      origin?: string;
      callerUserId?: string;
      executeAsUserId?: string;
      parentRunId?: string;
      requestId?: string;
      errorCode?: string;
      /** Inclusive lower bound */
      acceptedSince?: string;
      /** Exclusive upper bound */
      acceptedUntil?: string;
      finishedSince?: string;
      finishedUntil?: string;
      /** From the first claim to the end */
      durationMinMs?: number;
      orderBy?: "acceptedAt" | "-acceptedAt" | "finishedAt" | "-finishedAt";
      workflowId?: string;
    };
    body: null;
    answer: {
      data: WorkflowRunSummary[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Get a run with its input, its result and its journal */
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
  };
  /** List the steps of a run with their inputs and outputs */
  "GET /workflows/{id}/runs/{runId}/steps": {
    path: {
      id: string;
      runId: string;
    };
    query: {
      /** Maximum number of items */
      limit?: number;
      /** `meta.nextCursor` of the previous page */
      cursor?: string;
      /** Text to search for */
      search?: string;
      status?: string;
      kind?: string;
    };
    body: null;
    answer: {
      data: WorkflowRunStep[];
      meta: {
        nextCursor: string | null;
      };
    };
  };
  /** Ask a run to stop after its current step */
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
