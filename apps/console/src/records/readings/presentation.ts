/** How the rows of a DataView are shown, as the APIs have it. Fields are paths from its resource. */
export type Presentation =
  | TablePresentation
  | CardsPresentation
  | KanbanPresentation
  | CalendarPresentation
  | FormPresentation;

/** What a table says of a whole column. */
export type Summary = "count" | "countDistinct" | "sum" | "avg" | "min" | "max";

interface TablePresentation {
  readonly version: 1;
  readonly layout: "table";
  /** Empty for the fields of the DataView in their order. */
  readonly columns: readonly {
    readonly field: string;
    /** Pixels. */
    readonly width?: number | undefined;
    readonly pinned?: boolean | undefined;
    readonly summary?: Summary | undefined;
  }[];
}

export interface CardsPresentation {
  readonly version: 1;
  readonly layout: "cards";
  readonly title: string;
  readonly subtitle?: string | undefined;
  readonly image?: string | undefined;
  readonly badges?: readonly string[] | undefined;
}

export interface KanbanPresentation {
  readonly version: 1;
  readonly layout: "kanban";
  /** An enum, a boolean, or the column of a to-one foreign key. */
  readonly group: string;
  readonly title: string;
  readonly fields?: readonly string[] | undefined;
  /** The field by which cards are sorted within a column. */
  readonly order?: string | undefined;
  readonly color?: string | undefined;
}

export interface CalendarPresentation {
  readonly version: 1;
  readonly layout: "calendar";
  readonly start: string;
  readonly end?: string | undefined;
  readonly title: string;
  readonly color?: string | undefined;
}

interface FormPresentation {
  readonly version: 1;
  readonly layout: "form";
  readonly use: "CREATE" | "EDIT" | "BOTH";
  readonly sections: readonly {
    readonly title: string;
    readonly help?: string | undefined;
    readonly fields: readonly {
      readonly field: string;
      readonly help?: string | undefined;
      /** The value that a new row begins with. */
      readonly default?: unknown;
    }[];
  }[];
}
