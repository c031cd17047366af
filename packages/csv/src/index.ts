export { csvCell, textOfCell } from "./csv-cell.ts";
