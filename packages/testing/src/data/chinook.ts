import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Database } from "@rowhouse/db";
import { loadFixture } from "./load-fixture.ts";

const script = new URL("../../fixtures/chinook.sql.gz", import.meta.url);
/** The script's first lines create a database and connect to it, which the caller has already done. */
const preamble = /^(?:drop database|create database|\\c ).*$/gim;

export const chinookTables = [
  "album",
  "artist",
  "customer",
  "employee",
  "genre",
  "invoice",
  "invoice_line",
  "media_type",
  "playlist",
  "playlist_track",
  "track",
] as const;

/**
 * Runs the script of the Chinook sample database (a music shop, by Luis Rocha, MIT; see `fixtures/`) as any other SQL
 * client would; it creates its tables in the schema `public`.
 */
export async function loadChinook(database: Database): Promise<void> {
  const text = (await promisify(gunzip)(await readFile(script))).toString("utf8");
  await loadFixture(database, text.replace(preamble, ""));
}
