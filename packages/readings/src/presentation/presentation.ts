/** How the rows of a DataView are shown. Fields are paths from its resource. */
export type Presentation =
  | TablePresentation
  | CardsPresentation
  | KanbanPresentation
  | CalendarPresentation
  | FormPresentation;

export interface TablePresentation {
  readonly version: 1;
  readonly layout: "table";
  /** Empty for the fields of the DataView in their order. */
  readonly columns: TableColumn[];
}

export interface TableColumn {
  readonly field: string;
  /** Pixels. */
  readonly width?: number | undefined;
  readonly pinned?: boolean | undefined;
  readonly summary?: Summary | undefined;
}

export const summaries = ["count", "countDistinct", "sum", "avg", "min", "max"] as const;

export type Summary = (typeof summaries)[number];

export interface CardsPresentation {
  readonly version: 1;
  readonly layout: "cards";
  readonly title: string;
  readonly subtitle?: string | undefined;
  readonly image?: string | undefined;
  readonly badges?: string[] | undefined;
}

export interface KanbanPresentation {
  readonly version: 1;
  readonly layout: "kanban";
  /** An enum, a boolean, or the column of a to-one foreign key. */
  readonly group: string;
  readonly title: string;
  readonly fields?: string[] | undefined;
  /** The field that sorts the cards within a column. */
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

export interface FormPresentation {
  readonly version: 1;
  readonly layout: "form";
  readonly use: "CREATE" | "EDIT" | "BOTH";
  readonly sections: FormSection[];
}

export interface FormSection {
  readonly title: string;
  readonly help?: string | undefined;
  readonly fields: FormField[];
}

export interface FormField {
  readonly field: string;
  readonly help?: string | undefined;
  /** The value that a new row begins with; a number with more digits than a double is a text. */
  readonly default?: string | number | boolean | null | undefined;
}

/** The presentation of a DataView without one. */
export const plainTable: TablePresentation = { version: 1, layout: "table", columns: [] };
