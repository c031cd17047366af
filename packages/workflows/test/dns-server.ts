import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import ipaddr from "ipaddr.js";
import type { ResolveName } from "../src/outgoing/address-guard.ts";

/** A received question. */
export interface Question {
  readonly name: string;
  readonly type: "A" | "AAAA";
  /** The number of earlier questions for this name and type. */
  readonly nth: number;
}

export interface DnsServer {
  readonly questions: Question[];
  /** Resolves names by this server only, through Node's own DNS client, without a cache. */
  readonly resolveName: ResolveName;
  close(): void;
}

const types = { A: 1, AAAA: 28 } as const;
const recursive = 0x8180;
const nameAtQuestion = [0xc0, 12];
const internet = [0, 1];
/** A time to live of zero. */
const ttl = [0, 0, 0, 0];

/** A name server on UDP that returns the addresses that the test sets at that moment. */
export async function startDnsServer(
  answer: (question: Question) => readonly string[],
): Promise<DnsServer> {
  const questions: Question[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, peer) => {
    const { name, type, end } = readQuestion(query);
    const nth = questions.filter((one) => one.name === name && one.type === type).length;
    const question = { name, type, nth };
    questions.push(question);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(recursive, 2);
    const addresses = answer(question).filter(
      (address) => (ipaddr.parse(address).kind() === "ipv4" ? "A" : "AAAA") === type,
    );
    header.writeUInt16BE(addresses.length, 6);
    header.fill(0, 8);
    const records = addresses.map((address) => {
      const bytes = ipaddr.parse(address).toByteArray();
      const head = [...nameAtQuestion, 0, types[type], ...internet, ...ttl, 0, bytes.length];
      return Buffer.from([...head, ...bytes]);
    });
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), peer.port);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");

  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    questions,
    resolveName: async (hostname, family) => {
      const none = () => [];
      const [four, six] = await Promise.all([
        family === 6 ? [] : resolver.resolve4(hostname).catch(none),
        family === 4 ? [] : resolver.resolve6(hostname).catch(none),
      ]);
      return [
        ...six.map((address) => ({ address, family: 6 })),
        ...four.map((address) => ({ address, family: 4 })),
      ];
    },
    close: () => socket.close(),
  };
}

function readQuestion(query: Buffer): Pick<Question, "name" | "type"> & { end: number } {
  const labels: string[] = [];
  let at = 12;
  for (;;) {
    const length = query.readUInt8(at);
    at += 1;
    if (length === 0) break;
    labels.push(query.toString("ascii", at, at + length));
    at += length;
  }
  const type = query.readUInt16BE(at) === types.AAAA ? "AAAA" : "A";
  return { name: labels.join(".").toLowerCase(), type, end: at + 4 };
}
