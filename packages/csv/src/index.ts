export { csvCell, textOfCell } from "./csv-cell.ts";
export { type DateFormat, parseDateFormat, readDate } from "./date-format.ts";
