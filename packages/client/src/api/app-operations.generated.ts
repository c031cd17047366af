// Generated from the service's OpenAPI document by `npm run types:client`.

export type Navigation = {
  resources: ({
    id: string;
    schema: string;
    name: string;
    kind: "TABLE" | "VIEW";
    label: string | null;
    description: string | null;
    /** Path in the Data API */
    path: string;
    actions: ("READ" | "CREATE" | "UPDATE" | "DELETE")[];
    /** Empty if rows have no address */
    primaryKey: string[];
    columns: ({
      /** The path of a related row's field: `driver.name` */
      name: string;
      dataType: string;
      /** Labels of an enum, in order */
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
      nullable: boolean;
      readable: boolean;
      creatable: boolean;
      updatable: boolean;
      required: boolean;
    })[];
    relations: ({
      name: string;
      kind: "ONE" | "MANY";
      resource: {
        id: string;
        schema: string;
        name: string;
        kind: "TABLE" | "VIEW";
        label: string | null;
      };
    })[];
  })[];
  dataViews: {
    id: string;
    name: string;
    description: string;
    resourceId: string;
  }[];
  dashboards: {
    id: string;
    name: string;
    description: string;
  }[];
};

export type OpenDashboard = {
  id: string;
  name: string;
  description: string;
  panels: OpenPanel[];
};

export type OpenDataView = {
  id: string;
  name: string;
  description: string;
  resource: {
    id: string;
    schema: string;
    name: string;
    kind: "TABLE" | "VIEW";
    label: string | null;
  };
  orderBy: string[];
  presentation: { [name: string]: unknown };
  fields: ({
    /** The path of a related row's field: `driver.name` */
    name: string;
    dataType: string;
    /** Labels of an enum, in order */
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
  })[];
  rows: { [name: string]: unknown }[];
};

export type OpenPanel = {
  id: string;
  title: string;
  kind: "LIST" | "FIGURE" | "CHART";
  presentation: { [name: string]: unknown };
  resource?: {
    id: string;
    schema: string;
    name: string;
    kind: "TABLE" | "VIEW";
    label: string | null;
  };
  /** Only for a list */
  fields?: ({
    /** The path of a related row's field: `driver.name` */
    name: string;
    dataType: string;
    /** Labels of an enum, in order */
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
  })[];
  /** Only for a figure or chart: groups, then aggregates */
  names?: string[];
  rows?: { [name: string]: unknown }[];
  /** Paths of the to-many relations of which a list has more rows than it shows */
  more?: string[];
  /** Why the panel has no rows; the other fields are omitted then */
  error?: {
    code: string;
    message: string;
  };
};

export type Person = {
  id: string;
  email: string;
  name: string;
  timeZone: string | null;
  language: string | null;
  roles: {
    id: string;
    name: string;
  }[];
  isAdministrator: boolean;
  mayCreateTokens: boolean;
};

/** The operations by method and path. */
export interface AppOperations {
  /** Get this document */
  "GET /openapi": {
    path: null;
    query: null;
    body: null;
    answer: { [name: string]: unknown };
  };
  /** Get the principal of the request */
  "GET /me": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: Person;
    };
  };
  /** List the resources, DataViews and dashboards that the principal may open, with the allowed actions */
  "GET /navigation": {
    path: null;
    query: null;
    body: null;
    answer: {
      data: Navigation;
    };
  };
  /** Open a DataView: its rows, limited to those that the reader may see */
  "GET /data-views/{id}": {
    path: {
      id: string;
    };
    query: {
      /** Maximum number of rows */
      limit?: number;
      cursor?: string;
      search?: string;
      count?: "exact" | "estimated";
    };
    body: null;
    answer: {
      data: OpenDataView;
      meta?: {
        nextCursor?: string | null;
        count?: number;
        /** Paths of the to-many relations of which a list has more rows than it shows */
        more?: string[];
      };
    };
  };
  /** Open a dashboard: the content of each panel that the reader may see */
  "GET /dashboards/{id}": {
    path: {
      id: string;
    };
    query: null;
    body: null;
    answer: {
      data: OpenDashboard;
    };
  };
}
