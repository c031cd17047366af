import type { Navigation, NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { readableColumns } from "../model/resource.ts";

/** A row of `system.files`, as far as the person may read it. */
export interface FileRecord {
  readonly id: string;
  readonly name?: string;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly folder_id?: string | null;
  readonly visibility?: "PRIVATE" | "PUBLIC";
  readonly state?: "PENDING" | "READY" | "QUARANTINED";
  /** The path of the bytes; null while there are none, undefined for a person who may not read them. */
  readonly content?: string | null;
  readonly media_type?: string | null;
  readonly claimed_type?: string | null;
  /** Digits of a `bigint`. */
  readonly bytes?: string | null;
  readonly sha256?: string | null;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly created_at?: string;
  readonly updated_at?: string;
}

/** A row of `system.folders`. */
export interface FolderRecord {
  readonly id: string;
  readonly name: string;
  readonly parent_id?: string | null;
}

/** The address of the files in the Data API. */
export const filesAddress = { schema: "system", name: "files" } as const;

/** The address of the folders in the Data API. */
export const foldersAddress = { schema: "system", name: "folders" } as const;

/** Returns the table of files, if the person may read files. */
export function filesResource(navigation: Navigation | undefined): NavigationResource | undefined {
  return readableTable(navigation, filesAddress.name);
}

/** Returns the table of folders, if the person may read folders. */
export function foldersResource(
  navigation: Navigation | undefined,
): NavigationResource | undefined {
  return readableTable(navigation, foldersAddress.name);
}

function readableTable(
  navigation: Navigation | undefined,
  table: string,
): NavigationResource | undefined {
  return navigation?.resources.find(
    ({ schema, name, actions }) =>
      schema === "system" && name === table && actions.includes("READ"),
  );
}

const names = [
  ...["id", "name", "title", "description", "folder_id", "visibility", "state", "content"],
  ...["media_type", "claimed_type", "bytes", "sha256", "width", "height"],
  ...["created_at", "updated_at"],
];

/** Returns the fields of a file that the pages show, as far as the person may read them. */
export function fileFields(resource: NavigationResource): readonly string[] {
  const readable = new Set(readableColumns(resource).map(({ name }) => name));
  return names.filter((name) => readable.has(name));
}

/** Whether a column that refers to a row of `target` is shown as a file. */
export function isFileField(
  { format }: Pick<NavigationColumn, "format">,
  { schema, name }: NavigationResource,
): boolean {
  const isFiles = schema === filesAddress.schema && name === filesAddress.name;
  return isFiles && (format?.type === "file" || format?.type === "image");
}

/** Whether the person may set a field of a row. */
export function mayUpdate(resource: NavigationResource, field: string): boolean {
  return resource.columns.some(({ name, updatable }) => name === field && updatable);
}

/** Whether the person may set the fields of a new row. */
export function mayCreate(resource: NavigationResource, ...fields: readonly string[]): boolean {
  const creatable = resource.columns.filter((column) => column.creatable);
  const isGranted = resource.actions.includes("CREATE");
  return isGranted && fields.every((field) => creatable.some(({ name }) => name === field));
}
