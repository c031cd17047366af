import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { accepts, findFreePort } from "./free-port.ts";

/** A TLS terminator with a certificate of its own signature. */
export interface NginxServer {
  /** An https URL without a path. */
  readonly url: string;
  stop(): Promise<void>;
}

const siteFile = fileURLToPath(new URL("../../../../infra/nginx/rowhouse.conf", import.meta.url));
const startTimeoutMs = 10_000;

/** Returns whether nginx is installed. With ROWHOUSE_REQUIRE_NGINX=1 its absence is an error. */
export function hasNginx(): boolean {
  const found = spawnSync("nginx", ["-v"]).status === 0;
  if (!found && process.env.ROWHOUSE_REQUIRE_NGINX === "1") {
    throw new Error("nginx is not on the PATH, and ROWHOUSE_REQUIRE_NGINX is 1");
  }
  if (!found) console.warn("nginx is not on the PATH: the tests behind nginx are SKIPPED");
  return found;
}

/**
 * Starts nginx with `infra/nginx/rowhouse.conf` on a free port of the loopback address.
 *
 * @param gateways URLs of the gateways
 */
export async function startNginx(gateways: readonly string[]): Promise<NginxServer> {
  const port = await findFreePort();
  const folder = await mkdtemp(join(tmpdir(), "rowhouse-nginx-"));
  const place = (name: string) => join(folder, name);
  createCertificate(place("certificate.pem"), place("key.pem"));
  await writeFile(place("site.conf"), await siteFor(gateways, port, place));
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${place(name)};`)
    .join("\n  ");
  await writeFile(
    place("nginx.conf"),
    `daemon off;
worker_processes 1;
error_log stderr error;
pid ${place("pid")};
events {}
http {
  access_log off;
  ${paths}
  include ${place("site.conf")};
}
`,
  );
  const server = spawn("nginx", ["-p", folder, "-c", place("nginx.conf"), "-e", "stderr"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const end = () => server.kill("SIGTERM");
  process.once("exit", end);
  let written = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => {
    written = (written + text).slice(-2000);
  });
  const until = Date.now() + startTimeoutMs;
  while (!(await accepts(port))) {
    if (server.exitCode !== null || Date.now() > until) {
      server.kill("SIGKILL");
      throw new Error(`nginx did not start:\n${written}`);
    }
    await delay(20);
  }
  return {
    url: `https://127.0.0.1:${port}`,
    stop: async () => {
      process.off("exit", end);
      if (server.exitCode === null && server.signalCode === null) {
        const exit = once(server, "exit");
        server.kill("SIGTERM");
        await exit;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function siteFor(
  gateways: readonly string[],
  port: number,
  place: (name: string) => string,
): Promise<string> {
  const servers = gateways.map((url) => `  server ${new URL(url).host} $1;\n`).join("");
  const changes: readonly (readonly [RegExp, string])[] = [
    [/(?: {2}server [\d.:]+ ([\w=]+);\n)+/, servers],
    [/listen 443 ssl;/, `listen 127.0.0.1:${port} ssl;`],
    [/(ssl_certificate) .*;/, `$1 ${place("certificate.pem")};`],
    [/(ssl_certificate_key) .*;/, `$1 ${place("key.pem")};`],
  ];
  let site = await readFile(siteFile, "utf8");
  for (const [part, replacement] of changes) {
    if (!part.test(site)) throw new Error(`infra/nginx/rowhouse.conf has no ${part.source}`);
    site = site.replace(part, replacement);
  }
  return site;
}

function createCertificate(certificate: string, key: string): void {
  const { status, stderr } = spawnSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
      ...["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"],
      ...["-out", certificate, "-keyout", key],
    ],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`openssl created no certificate:\n${stderr}`);
}
