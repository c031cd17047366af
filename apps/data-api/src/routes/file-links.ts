import { isUuid } from "@rowhouse/db";
import { createError, createFault, type Fault, throwFaults } from "@rowhouse/errors";
import { findFiles, type StoredFile } from "@rowhouse/files";
import {
  envelope,
  faultsOf,
  jsonValue,
  readJsonBody,
  requireData,
  type Service,
  toPointer,
} from "@rowhouse/http";
import { type Settings, settingsOf, withoutTrailingSlashes } from "@rowhouse/settings";
import type { z } from "zod";
import type { CredentialCaller } from "../caller/request-headers.ts";
import { type FileApi, type FileContext, fileCallerOf } from "../files/file-api.ts";
import { ticketSecondsDefault } from "../files/file-ticket.ts";
import { lengthOf } from "../files/received-file.ts";
import { idSegment, type LinkTerms, linkInput, linksInput } from "./file-documents.ts";

/** Links that open files without a header. */
export function mountFileLinkRoutes(service: Service, api: FileApi): void {
  service.post("/api/files/links", (c) => createLinks(c, api));
  service.post(`/api/files/${idSegment}/link`, (c) => createLink(c, api));
}

const bodyBytesMax = 65_536;

async function createLink(c: FileContext, api: FileApi): Promise<Response> {
  const id = c.req.param("id") ?? "";
  const { caller } = fileCallerOf(c);
  const settings = settingsOf(await api.snapshots.fresh());
  const { headers } = c.req.raw;
  // A POST without a body may have an empty stream.
  const isEmpty = headers.get("content-type") === null && !lengthOf(headers);
  // A caller without the right to the file gets no other error.
  const files = await readableFilesOf(api, [id], caller);
  const file = requireOne(files.get(id.toLowerCase()));
  const options = isEmpty ? {} : await readInput(c.req.raw, linkInput, settings);
  const link = await linkTo(api, file, { caller, options, settings });
  return jsonValue(201, envelope(link), c.env.edge.requestId);
}

function requireOne(file: StoredFile | undefined): StoredFile {
  if (file === undefined) throw createError("NOT_FOUND");
  return file;
}

/** One answer for each id, in their order: a link, or the fault of a file that is missing or that the caller may not read. */
async function createLinks(c: FileContext, api: FileApi): Promise<Response> {
  const { caller } = fileCallerOf(c);
  const settings = settingsOf(await api.snapshots.fresh());
  const { ids, ...options } = await readInput(c.req.raw, linksInput, settings).catch(
    async (error: unknown) => {
      // A caller with an invalid credential gets no other error.
      await api.rows.readableOf([noFile], { caller });
      throw error;
    },
  );
  const files = await readableFilesOf(api, ids, caller);
  const links = await Promise.all(
    ids.map(async (id, index) => {
      const file = files.get(id.toLowerCase());
      if (file !== undefined)
        return { id, ...(await linkTo(api, file, { caller, options, settings })) };
      return { id, fault: createFault("NOT_FOUND", { path: `/data/ids/${index}` }) };
    }),
  );
  return jsonValue(200, envelope(links), c.env.edge.requestId);
}

/** The files with these ids whose bytes the caller may read now, or everybody may. */
async function readableFilesOf(
  { database, rows }: FileApi,
  ids: readonly string[],
  caller: CredentialCaller,
): Promise<ReadonlyMap<string, StoredFile>> {
  const known = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
  // Without any id too, an invalid credential is refused.
  const [files, readable] = await Promise.all([
    findFiles(database, known),
    rows.readableOf(known.length === 0 ? [noFile] : known, { caller }),
  ]);
  const open = files.filter(({ id, isPublic }) => isPublic || readable.has(id));
  return new Map(open.map((file) => [file.id, file]));
}

const noFile = "00000000-0000-0000-0000-000000000000";

interface LinkInput {
  readonly caller: CredentialCaller;
  readonly options: LinkTerms;
  readonly settings: Settings;
}

async function linkTo(
  { tickets }: FileApi,
  file: StoredFile,
  { caller, options, settings }: LinkInput,
): Promise<{ readonly url: string; readonly expiresAt: string }> {
  const { preset, lifetimeSeconds = ticketSecondsDefault } = options;
  const ticket = await tickets.create(file, caller.credential, lifetimeSeconds);
  const query = new URLSearchParams(preset === undefined ? {} : { preset });
  query.set("ticket", ticket.text);
  const base = withoutTrailingSlashes(settings["files.public_url"] ?? "");
  const url = `${base}/api/files/${file.id}/${encodeURIComponent(file.name)}?${query}`;
  return { url, expiresAt: ticket.expiresAt.toISOString() };
}

/** @throws AppError BODY_INVALID with the path of each fault */
async function readInput<Input extends LinkTerms>(
  request: Request,
  schema: z.ZodType<Input>,
  settings: Settings,
): Promise<Input> {
  const data = requireData(await readJsonBody(request, { bytesMax: bodyBytesMax }));
  const parsed = schema.safeParse(data);
  if (!parsed.success) {
    throwFaults(
      faultsOf(parsed.error.issues, "BODY_INVALID", (keys) => toPointer(["data", ...keys])),
    );
    throw parsed.error;
  }
  throwFaults(refusedTerms(parsed.data, settings));
  return parsed.data;
}

/** Returns what the settings refuse. */
function* refusedTerms(
  { lifetimeSeconds = 0, preset }: LinkTerms,
  settings: Settings,
): Generator<Fault> {
  const max = settings["files.link_max_lifetime_seconds"];
  if (lifetimeSeconds > max) {
    const message = `Must be at most ${max}, the setting files.link_max_lifetime_seconds`;
    yield createFault("BODY_INVALID", { path: "/data/lifetimeSeconds", message });
  }
  const isKnown = settings["files.image_presets"].some(({ name }) => name === preset);
  // A page shows no reason for a picture that fails.
  if (preset !== undefined && !isKnown) {
    const message = "Must be the name of an image preset, of the setting files.image_presets";
    yield createFault("BODY_INVALID", { path: "/data/preset", message });
  }
}
