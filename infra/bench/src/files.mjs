// Downloads of a private file against nginx from disk, uploads against a handler that writes to disk, and the memory of
// a file of 1 GB, in one run.
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  openAsBlob,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measure } from "./load.mjs";
import { atEnd, findFreePort, median, start, startDatabase, untilAnswers } from "./processes.mjs";
import { administer, administrator, signIn } from "./world.mjs";

const fileBytes = 10_000_000;
const largeBytes = 1_000_000_000;
const uploadsAtOnce = 4;
const uploadCount = 40;

export async function benchFiles({ seconds, rounds }) {
  if (spawnSync("nginx", ["-v"]).status !== 0) throw new Error("nginx is not installed");
  const folder = mkdtempSync(join(tmpdir(), "rowhouse-bench-"));
  // A server that root starts reads it under another account.
  chmodSync(folder, 0o755);
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const service = await start("../../../apps/standalone/dist/main.js", {
    DATABASE_URL: process.env.DATABASE_URL ?? (await startDatabase()),
    FILES_DIR: join(folder, "files"),
    ROWHOUSE_ADMIN_EMAIL: administrator.email,
    ROWHOUSE_ADMIN_PASSWORD: administrator.password,
    LOG_LEVEL: "error",
  });
  await untilAnswers(`${service.url}/readyz`);
  const session = await signIn(service.url, administrator);
  await exposeFiles(service.url, session);
  const headers = { Authorization: `Bearer ${session}` };
  const place = join(folder, "file.bin");
  writeFileSync(place, Buffer.alloc(fileBytes, "0123456789"));

  const uploaded = await upload(`${service.url}/api/files?name=file.bin`, place, headers);
  const nginx = await startNginx(folder);
  const byHand = await start("./bare-upload.mjs", {});
  await untilAnswers(byHand.url);
  const shape = (path) => ({ method: "GET", path, headers, idMax: 1 });
  const downloads = { nginx: [], rowhouse: [] };
  const uploads = { byHand: [], rowhouse: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const time = round === 0 ? 1 : seconds;
    const ofNginx = await measure(nginx, shape("/file.bin"), time, 4);
    const own = await measure(service.url, shape(`/api/files/${uploaded.data.id}`), time, 4);
    const ofHand = await uploadMany(`${byHand.url}/`, place, {});
    const sent = await uploadMany(`${service.url}/api/files?name=file.bin`, place, headers);
    // The first round warms up.
    if (round === 0) continue;
    downloads.nginx.push(ofNginx.rate);
    downloads.rowhouse.push(own.rate);
    uploads.byHand.push(ofHand);
    uploads.rowhouse.push(sent);
  }
  report("download of 10 MB", downloads.rowhouse, "nginx", downloads.nginx, 0.7);
  report("upload of 10 MB", uploads.rowhouse, "by hand", uploads.byHand, 0.5);
  await benchLarge(service, folder, headers);
}

function report(name, own, other, theirs, aim) {
  const ratio = median(own.map((rate, index) => rate / theirs[index]));
  const line = `${other} ${median(theirs).toFixed(1)}/s, service ${median(own).toFixed(1)}/s`;
  console.log(`${name.padEnd(18)} ${line}, ratio ${ratio.toFixed(2)} (aim: ${aim} or more)`);
}

/** @returns uploads per second */
async function uploadMany(url, place, headers) {
  const from = performance.now();
  let left = uploadCount;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await upload(url, place, headers);
    }
  };
  await Promise.all(Array.from({ length: uploadsAtOnce }, work));
  return (uploadCount / (performance.now() - from)) * 1000;
}

async function upload(url, place, headers) {
  const body = await openAsBlob(place, { type: "application/octet-stream" });
  const answer = await fetch(url, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

/** The memory of the service while a file of 1 GB goes up and down. */
async function benchLarge(service, folder, headers) {
  const place = join(folder, "large.bin");
  writeFileSync(place, "");
  truncateSync(place, largeBytes);
  const before = residentMegabytes(service.pid);
  let memory = before;
  const watch = setInterval(() => {
    memory = Math.max(memory, residentMegabytes(service.pid));
  }, 50);
  const { data } = await upload(`${service.url}/api/files?name=large.bin`, place, headers);
  const answer = await fetch(`${service.url}/api/files/${data.id}`, { headers });
  let received = 0;
  for await (const chunk of answer.body) received += chunk.byteLength;
  clearInterval(watch);
  if (received !== largeBytes) throw new Error(`Received ${received} bytes`);
  console.log(
    `1 GB up and down   ${Math.round(before)} MB before, at most ${Math.round(memory)} MB`,
  );
}

function residentMegabytes(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

async function exposeFiles(url, session) {
  const call = administer(url, session);
  for (const { id } of await call("GET", "/resources?schema=system&search=.files")) {
    await call("PATCH", `/resources/${id}`, { exposedMethods: ["GET", "POST", "PATCH", "DELETE"] });
  }
}

async function startNginx(folder) {
  const port = await findFreePort();
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join("\n");
  writeFileSync(
    join(folder, "nginx.conf"),
    `daemon off; worker_processes 1; error_log stderr error; pid ${join(folder, "pid")};
events {}
http { access_log off; sendfile on; tcp_nopush on; ${paths}
  server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  );
  const server = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  atEnd(() => server.kill("SIGTERM"));
  await untilAnswers(`http://127.0.0.1:${port}/file.bin`);
  return `http://127.0.0.1:${port}`;
}
