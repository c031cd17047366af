// Tier: long. Starts processes; hostile-service.test.ts is in every run.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";

let folder: string;
let server: Server;
let url: string;
let closed: string;
let answer: RequestListener;
async function listen(listener: RequestListener): Promise<[Server, string]> {
  const one = createServer(listener);
  await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  return [one, `http://127.0.0.1:${(one.address() as AddressInfo).port}`];
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-address-"));
  [server, url] = await listen((request, response) => answer(request, response));
  const [former, address] = await listen(() => {});
  closed = address;
  await new Promise((resolve) => former.close(resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const drift = (address: string) =>
  runCli(["drift", folder], { ROWHOUSE_URL: address, ROWHOUSE_TOKEN: "rhp_test" });

describe("an address that leads to no service is one sentence that says what to check", () => {
  it.each<[string, (own: string) => string, RegExp, RequestListener?]>([
    ["no URL", () => "rowhouse.example", /url must be an http or https URL .*; check --url/],
    ["a closed port", () => closed, /127\.0\.0\.1:[0-9]+: no program listens .*ECONNREFUSED/],
    [
      "an unknown name",
      () => "http://rowhouse.invalid",
      /this name has no address.*(?:ENOTFOUND|EAI_AGAIN)/,
    ],
    [
      "TLS to a plain port",
      (own) => own.replace("http:", "https:"),
      /does not speak TLS.*http:\/\//,
    ],
    [
      "a page of another program",
      (own) => own,
      /answers with status 200, but it is no Rowhouse service\. Check ROWHOUSE_URL/,
      (_, response) => response.setHeader("content-type", "text/html").end("<!doctype html>"),
    ],
    [
      "an error of another program",
      (own) => own,
      /answers with status 404, but it is no Rowhouse service/,
      (_, response) => response.writeHead(404).end('{"error":"none"}'),
    ],
    [
      "a redirect",
      (own) => own,
      /redirects to https:\/\/other\.example; no redirect is followed\. Check ROWHOUSE_URL/,
      (_, response) => response.writeHead(302, { location: "https://other.example/" }).end(),
    ],
    [
      "a connection that is closed",
      (own) => own,
      /closed the connection without an answer/,
      (request) => request.socket.destroy(),
    ],
  ])("%s", { timeout: 60_000 }, async (_, addressOf, sentence, listener = () => {}) => {
    answer = listener;
    const { code, stdout, stderr } = await drift(addressOf(url));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^rowhouse: [^\n]*\n$/);
    expect(stderr).toMatch(sentence);
  });
});
