import { z } from "zod";

/** Names of the Lucide icons that a DataView or a dashboard may have. */
const readingIcons = [
  "archive",
  "banknote",
  "bell",
  "book-open",
  "box",
  "briefcase",
  "building",
  "calendar",
  "car",
  "chart-column",
  "chart-line",
  "chart-pie",
  "clipboard-list",
  "clock",
  "credit-card",
  "file-text",
  "flag",
  "folder",
  "gauge",
  "gift",
  "globe",
  "headphones",
  "heart",
  "house",
  "inbox",
  "kanban",
  "key",
  "layers",
  "layout-dashboard",
  "layout-grid",
  "mail",
  "map",
  "map-pin",
  "package",
  "phone",
  "receipt",
  "shield",
  "shopping-cart",
  "square-check-big",
  "star",
  "table",
  "tag",
  "truck",
  "users",
  "wrench",
] as const;

export const iconSchema = z
  .enum(readingIcons)
  .nullable()
  .meta({ id: "ReadingIcon", description: "Name of a Lucide icon" });

/** The icon of a record that an earlier or later version stored. */
export function readIcon(stored: string | null): z.output<typeof iconSchema> {
  return readingIcons.find((icon) => icon === stored) ?? null;
}
