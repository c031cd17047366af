// Generated from the service's OpenAPI document by `npm run types:client`.

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

export type ChartPresentation = {
  version: 1;
  chart: "bar" | "stacked" | "line" | "area" | "donut";
  horizontal?: boolean | undefined;
};

export type FigurePresentation = {
  version: 1;
  goodWhen?: "UP" | "DOWN" | undefined;
  color?: string | undefined;
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

export type FoundRows = {
  data: ({
    resource: {
      id: string;
      schema: string;
      name: string;
      kind: "TABLE" | "VIEW";
      label: string | null;
    };
    key: string[];
    title: string;
  })[];
  meta: {
    searched: ({
      id: string;
      schema: string;
      name: string;
      kind: "TABLE" | "VIEW";
      label: string | null;
    })[];
    unanswered: ({
      id: string;
      schema: string;
      name: string;
      kind: "TABLE" | "VIEW";
      label: string | null;
    })[];
  };
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
    title: ({
      field: string;
      before: string;
      after: string;
      reference?: {
        relation: string;
        title: {
          field: string;
          before: string;
          after: string;
        }[];
      } | undefined;
    })[];
    columns: ({
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
      part: boolean;
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

export type PivotPresentation = {
  version: 1;
  totals?: boolean | undefined;
};

export type Preferences = {
  theme?: "light" | "dark" | "system" | undefined;
  density?: "compact" | "comfortable" | undefined;
  shortcuts?: boolean | undefined;
  grid?: { [name: string]: {
    widths?: { [name: string]: number } | undefined;
    hidden?: string[] | undefined;
    order?: string[] | undefined;
    pinned?: string[] | undefined;
  } } | undefined;
  home?: {
    pinned?: ({
      kind: "dashboard" | "dataView" | "resource";
      id: string;
    })[] | undefined;
    recent?: ({
      kind: "dashboard" | "dataView" | "resource";
      id: string;
      openedAt: string;
    })[] | undefined;
  } | undefined;
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

export type TextPresentation = {
  version: 1;
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
    width?: number | undefined;
    pinned?: boolean | undefined;
    summary?: "count" | "countDistinct" | "sum" | "avg" | "min" | "max" | undefined;
  })[];
  degraded?: true | undefined;
};

/** The operations by method and path. */
export interface AppOperations {
  "GET /openapi": {
    path: null;
    query: {
      exports?: "true" | "false" | undefined;
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
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      count?: "exact" | "estimated" | undefined;
      where?: string | undefined;
      order_by?: string | undefined;
      fields?: string | undefined;
      references?: "key" | "title" | "both" | undefined;
      heads?: "name" | "label" | undefined;
      from?: string | undefined;
      to?: string | undefined;
      group?: string | undefined;
      summaries?: "true" | "false" | undefined;
    };
    body: null;
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
  "GET /search": {
    path: null;
    query: {
      q: string;
    };
    body: null;
    answer: FoundRows;
  };
  "GET /dashboards/{id}": {
    path: {
      id: string;
    };
    query: {
      parameters?: string | undefined;
      panels?: "true" | "false" | undefined;
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
      parameters?: string | undefined;
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
      parameters?: string | undefined;
      mark?: string | undefined;
      limit?: number | undefined;
      cursor?: string | undefined;
      search?: string | undefined;
      count?: "exact" | "estimated" | undefined;
      where?: string | undefined;
      order_by?: string | undefined;
      fields?: string | undefined;
      references?: "key" | "title" | "both" | undefined;
      heads?: "name" | "label" | undefined;
    };
    body: null;
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
  "GET /dashboards/{id}/parameters/{name}/values": {
    path: {
      id: string;
      name: string;
    };
    query: {
      search?: string | undefined;
    };
    body: null;
    answer: {
      data: ParameterChoice[];
    };
  };
  "GET /saved-views": {
    path: null;
    query: {
      resourceId?: string | undefined;
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
      position?: number | undefined;
      definition: {
        version: 1;
        where?: { [name: string]: unknown } | null | undefined;
        search?: string | undefined;
        orderBy?: string[] | undefined;
        fields?: string[] | null | undefined;
        widths?: { [name: string]: number } | undefined;
        pinned?: string[] | undefined;
        groupBy?: string[] | undefined;
        aggregate?: string[] | undefined;
        timeZone?: string | undefined;
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
      name?: string | undefined;
      position?: number | undefined;
      definition?: {
        version: 1;
        where?: { [name: string]: unknown } | null | undefined;
        search?: string | undefined;
        orderBy?: string[] | undefined;
        fields?: string[] | null | undefined;
        widths?: { [name: string]: number } | undefined;
        pinned?: string[] | undefined;
        groupBy?: string[] | undefined;
        aggregate?: string[] | undefined;
        timeZone?: string | undefined;
      } | undefined;
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
      theme?: "light" | "dark" | "system" | null | undefined;
      density?: "compact" | "comfortable" | null | undefined;
      shortcuts?: boolean | null | undefined;
      grid?: { [name: string]: {
        widths?: { [name: string]: number } | null | undefined;
        hidden?: string[] | null | undefined;
        order?: string[] | null | undefined;
        pinned?: string[] | null | undefined;
      } | null } | null | undefined;
      home?: {
        pinned?: ({
          kind: "dashboard" | "dataView" | "resource";
          id: string;
        })[] | null | undefined;
        recent?: ({
          kind: "dashboard" | "dataView" | "resource";
          id: string;
          openedAt: string;
        })[] | null | undefined;
      } | null | undefined;
    };
    answer: {
      data: Preferences;
    };
  };
}
