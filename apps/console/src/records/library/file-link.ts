import { queryOptions } from "@tanstack/react-query";
import { client } from "../../shell/client.ts";

/** Links that are requested at the same time. */
const requestsMax = 4;
/** A link lives for 60 seconds; one that is taken from the cache must still load. */
const freshMs = 45_000;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs work after the requests before it, unless nobody wants it any longer by then. */
async function inTurn<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  if (running >= requestsMax) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/** The link to a file, or to a picture in the size of a preset. */
export function fileLinkQuery(id: string, preset?: string) {
  return queryOptions({
    queryKey: ["file link", id, preset ?? null],
    queryFn: ({ signal }) =>
      inTurn(signal, () =>
        client.files.link(id, { ...(preset === undefined ? {} : { preset }), signal }),
      ),
    staleTime: freshMs,
    gcTime: freshMs,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** The path of a link: these pages load files from their own origin only, also if links name another one. */
export function pathOfLink({ url }: { readonly url: string }): string {
  const path = /\/api\/files\/.*$/.exec(url)?.[0];
  if (path === undefined) throw new TypeError("The link is none of a file");
  return path;
}

/** The address of a public file, from a link to it. */
export function publicAddress({ url }: { readonly url: string }): string {
  const address = new URL(url);
  address.search = "";
  return address.href;
}

/** Saves a file as a download of the browser. */
export async function downloadFile(id: string, name: string): Promise<void> {
  const link = document.createElement("a");
  link.href = `${pathOfLink(await client.files.link(id))}&download`;
  link.download = name;
  link.click();
}
