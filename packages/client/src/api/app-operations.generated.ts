// Generated from the service's OpenAPI document by `npm run types:client`.

export type CalendarPresentation = {
  version: 1;
  layout: "calendar";
  start: string;
  end?: string;
  title: string;
  color?: string;
};

export type CardsPresentation = {
  version: 1;
  layout: "cards";
  title: string;
  subtitle?: string;
  image?: string;
  badges?: string[];
};

export type FormPresentation = {
  version: 1;
  layout: "form";
  use: "CREATE" | "EDIT" | "BOTH";
  sections: ({
    title: string;
    help?: string;
    fields: ({
      field: string;
      help?: string;
      default?: string | number | boolean | null;
    })[];
  })[];
};

export type KanbanPresentation = {
  version: 1;
  layout: "kanban";
  group: string;
  title: string;
  fields?: string[];
  order?: string;
  color?: string;
};

export type Navigation = {
  resources: ({
    id: string;
    schema: string;
    name: string;
    kind: "TABLE" | "VIEW";
    label: string | null;
    description: string | null;
    path: string;
    actions: ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
    history: boolean;
    primaryKey: string[];
    title: {
      field: string;
      before: string;
      after: string;
    }[];
    columns: ({
      name: string;
      dataType: string;
      values: string[] | null;
      label: string | null;
      format: {
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
        type: "file";
      } | {
        type: "markdown";
      } | {
        type: "code";
        language?: string;
      } | {
        type: "json";
      } | null;
      colors: ({
        value: string | number | boolean | null;
        color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
      } | {
        from?: string | number;
        to?: string | number;
        color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
      })[] | null;
      description: string | null;
      baseType: string;
      array: boolean;
      lengthMax: number | null;
      hasDefault: boolean;
      generated: boolean;
      nullable: boolean;
      readable: boolean;
      creatable: boolean;
      updatable: boolean;
      required: boolean;
    })[];
    relations: ({
      name: string;
      kind: "ONE" | "MANY";
      foreignKey: "OWN" | "TARGET" | "JUNCTION";
      resource: {
        id: string;
        schema: string;
        name: string;
        kind: "TABLE" | "VIEW";
        label: string | null;
      };
      junction: {
        id: string;
        schema: string;
        name: string;
        kind: "TABLE" | "VIEW";
        label: string | null;
      } | null;
      columns: {
        from: string;
        to: string;
      }[] | null;
      inverse: string | null;
    })[];
  })[];
  dataViews: {
    id: string;
    name: string;
    description: string;
    icon: ReadingIcon;
    resourceId: string;
  }[];
  dashboards: {
    id: string;
    name: string;
    description: string;
    icon: ReadingIcon;
  }[];
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
    values: string[] | null;
    label: string | null;
    format: {
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
      type: "file";
    } | {
      type: "markdown";
    } | {
      type: "code";
      language?: string;
    } | {
      type: "json";
    } | null;
    colors: ({
      value: string | number | boolean | null;
      color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
    } | {
      from?: string | number;
      to?: string | number;
      color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
    })[] | null;
    titles?: { [name: string]: string };
  })[];
  rows: { [name: string]: unknown }[];
  groups?: ViewGroup[];
  summaries?: { [name: string]: unknown };
  presets?: {
    create: string[];
    update: string[];
  };
};

export type OpenPanel = {
  id: string;
  title: string;
  kind: "FIGURE" | "CHART" | "PIVOT" | "LIST" | "TEXT";
  layout: PanelLayout;
  presentation: { [name: string]: unknown };
  resource?: {
    id: string;
    schema: string;
    name: string;
    kind: "TABLE" | "VIEW";
    label: string | null;
  };
  names?: string[];
  terms?: PanelTerms;
  pivot?: {
    rows: string[];
    columns: string[];
  };
  fields?: ({
    name: string;
    dataType: string;
    values: string[] | null;
    label: string | null;
    format: {
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
      type: "file";
    } | {
      type: "markdown";
    } | {
      type: "code";
      language?: string;
    } | {
      type: "json";
    } | null;
    colors: ({
      value: string | number | boolean | null;
      color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
    } | {
      from?: string | number;
      to?: string | number;
      color: "gray" | "red" | "orange" | "amber" | "yellow" | "lime" | "green" | "teal" | "cyan" | "blue" | "indigo" | "violet" | "pink";
    })[] | null;
    titles?: { [name: string]: string };
  })[];
  rows?: { [name: string]: unknown }[];
  cut?: true;
  filled?: boolean;
  totals?: {
    rows: { [name: string]: unknown }[];
    columns: { [name: string]: unknown }[];
    all: { [name: string]: unknown };
  };
  figure?: {
    value?: unknown;
    previous?: unknown;
  };
  sparkline?: {
    bucket: string;
    value?: unknown;
  }[];
  markdown?: string;
  canDrill?: boolean;
  more?: string[];
  error?: {
    code: string;
    message: string;
  };
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
  } | unknown | null;
  from?: string;
  until?: string;
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
    unit: string | null;
  })[];
  aggregates: ({
    name: string;
    apply: string;
    field: string | null;
  })[];
};

export type ParameterChoice = {
  value?: unknown;
  label: string;
};

export type Person = {
  id: string;
  email: string;
  name: string;
  timeZone: string | null;
  language: string | null;
  region: string | null;
  systemTimeZone: string | null;
  roles: {
    id: string;
    name: string;
  }[];
  isAdministrator: boolean;
  mayCreateTokens: boolean;
  mcp: {
    enabled: boolean;
  };
};

export type Preferences = {
  theme?: "light" | "dark" | "system";
  density?: "compact" | "comfortable";
  shortcuts?: boolean;
  grid?: { [name: string]: {
    widths?: { [name: string]: number };
    hidden?: string[];
    order?: string[];
    pinned?: string[];
  } };
  home?: {
    pinned?: ({
      kind: "dashboard" | "dataView" | "resource";
      id: string;
    })[];
    recent?: ({
      kind: "dashboard" | "dataView" | "resource";
      id: string;
      openedAt: string;
    })[];
  };
};

export type ReadingIcon = "archive" | "banknote" | "bell" | "book-open" | "box" | "briefcase" | "building" | "calendar" | "car" | "chart-column" | "chart-line" | "chart-pie" | "clipboard-list" | "clock" | "credit-card" | "file-text" | "flag" | "folder" | "gauge" | "gift" | "globe" | "headphones" | "heart" | "house" | "inbox" | "kanban" | "key" | "layers" | "layout-dashboard" | "layout-grid" | "mail" | "map" | "map-pin" | "package" | "phone" | "receipt" | "shield" | "shopping-cart" | "square-check-big" | "star" | "table" | "tag" | "truck" | "users" | "wrench" | null;

export type SavedView = {
  id: string;
  resourceId: string;
  name: string;
  position: number;
  definition: { [name: string]: unknown };
  lost: ({
    field: string;
    reason: "TYPE" | "COLLATION" | "LOCALE" | "LABEL";
  })[];
  createdAt: string;
  updatedAt: string;
};

export type ViewGroup = {
  value?: unknown;
  label: string | null;
  count: number;
  closed: boolean;
};

export type VisiblePresentation = VisibleTablePresentation | CardsPresentation | KanbanPresentation | CalendarPresentation | FormPresentation;

export type VisibleTablePresentation = {
  version: 1;
  layout: "table";
  columns: ({
    field: string;
    width?: number;
    pinned?: boolean;
    summary?: "count" | "countDistinct" | "sum" | "avg" | "min" | "max";
  })[];
  degraded?: true;
};

/** The operations by method and path. */
export interface AppOperations {
  "GET /openapi": {
    path: null;
    query: {
      exports?: "true" | "false";
    };
    body: null;
    answer: { [name: string]: unknown };
  };
  "GET /me": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: Person;
    };
  };
  "GET /navigation": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: Navigation;
    };
  };
  "GET /data-views/{id}": {
    path: {
      id: string;
    };
    query: {
      limit?: number;
      cursor?: string;
      search?: string;
      count?: "exact" | "estimated";
      where?: string;
      order_by?: string;
      fields?: string;
      from?: string;
      to?: string;
      group?: string;
      summaries?: "true" | "false";
    };
    body: null;
    answer: {
      data: OpenDataView;
      meta: {
        nextCursor?: string | null;
        count?: number;
        more?: string[];
        etags?: string[];
        asOf: string;
      };
    };
  };
  "GET /dashboards/{id}": {
    path: {
      id: string;
    };
    query: {
      parameters?: string;
      panels?: "true" | "false";
    };
    body: null;
    answer: {
      data: OpenDashboard;
    };
  };
  "GET /dashboards/{id}/panels/{panelId}": {
    path: {
      id: string;
      panelId: string;
    };
    query: {
      parameters?: string;
    };
    body: null;
    answer: {
      data: OpenPanel;
    };
  };
  "GET /dashboards/{id}/panels/{panelId}/rows": {
    path: {
      id: string;
      panelId: string;
    };
    query: {
      parameters?: string;
      mark?: string;
      limit?: number;
      cursor?: string;
      search?: string;
      count?: "exact" | "estimated";
      where?: string;
      order_by?: string;
      fields?: string;
    };
    body: null;
    answer: {
      data: OpenDataView;
      meta: {
        nextCursor?: string | null;
        count?: number;
        more?: string[];
        etags?: string[];
        asOf: string;
      };
    };
  };
  "GET /dashboards/{id}/parameters/{name}/values": {
    path: {
      id: string;
      name: string;
    };
    query: {
      search?: string;
    };
    body: null;
    answer: {
      data: ParameterChoice[];
    };
  };
  "GET /saved-views": {
    path: null;
    query: {
      resourceId?: string;
    };
    body: null;
    answer: {
      data: SavedView[];
    };
  };
  "POST /saved-views": {
    path: null;
    query: null;
    data: {
      resourceId: string;
      name: string;
      position?: number;
      definition: {
        version: 1;
        where?: { [name: string]: unknown } | null;
        search?: string;
        orderBy?: string[];
        fields?: string[] | null;
        widths?: { [name: string]: number };
        pinned?: string[];
        groupBy?: string[];
        aggregate?: string[];
        timeZone?: string;
      };
    };
    answer: {
      data: SavedView;
    };
  };
  "GET /saved-views/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: SavedView;
    };
  };
  "PATCH /saved-views/{id}": {
    path: {
      id: string;
    };
    query: null;
    data: {
      name?: string;
      position?: number;
      definition?: {
        version: 1;
        where?: { [name: string]: unknown } | null;
        search?: string;
        orderBy?: string[];
        fields?: string[] | null;
        widths?: { [name: string]: number };
        pinned?: string[];
        groupBy?: string[];
        aggregate?: string[];
        timeZone?: string;
      };
    };
    answer: {
      data: SavedView;
    };
  };
  "DELETE /saved-views/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: { data?: never };
  };
  "GET /preferences": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: Preferences;
    };
  };
  "PATCH /preferences": {
    path: null;
    query: null;
    data: {
      theme?: "light" | "dark" | "system" | null;
      density?: "compact" | "comfortable" | null;
      shortcuts?: boolean | null;
      grid?: { [name: string]: {
        widths?: { [name: string]: number } | null;
        hidden?: string[] | null;
        order?: string[] | null;
        pinned?: string[] | null;
      } | null } | null;
      home?: {
        pinned?: ({
          kind: "dashboard" | "dataView" | "resource";
          id: string;
        })[] | null;
        recent?: ({
          kind: "dashboard" | "dataView" | "resource";
          id: string;
          openedAt: string;
        })[] | null;
      } | null;
    };
    answer: {
      data: Preferences;
    };
  };
}
