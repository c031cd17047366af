import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import type { GridColumn } from "../grid/grid-column.ts";

/** A table of rows: what it shows, and how its order and the records beside it change. */
export interface TableView {
  readonly resource: NavigationResource;
  /** Everything that the person may open. */
  readonly resources: readonly NavigationResource[];
  readonly columns: readonly GridColumn[];
  /** As in the Data API: `-price,plate`. */
  readonly orderBy: string | undefined;
  /** Every column that the table can show. */
  readonly allColumns: readonly NavigationColumn[];
  /** Counts the rows by columns; null where nothing counts them. */
  readonly groupBy: ((names: readonly string[]) => void) | null;
  /** Shows these columns in this order. */
  setColumns(names: readonly string[]): void;
  /** Shows the columns as they are without a choice. */
  resetColumns(): void;
  setPinned(names: readonly string[]): void;
  setWidth(name: string, width: number): void;
  setOrder(orderBy: string | undefined): void;
  /**
   * Opens records beside the table, the last on top; none closes the panel.
   *
   * @param isStep whether the browser's back button leads to the records that are open now
   */
  openRecords(paths: readonly string[], isStep: boolean): void;
}
