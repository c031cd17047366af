import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy for clients that cannot send a credential. */
export type AuthorizingProxy = { readonly url: string; close(): void };

/** Starts a proxy that adds `Authorization` to each request and changes nothing else, neither `Host` nor `Origin`. */
export async function startAuthorizingProxy(
  target: () => string,
  token: () => string,
): Promise<AuthorizingProxy> {
  const server: Server = createServer((incoming, outgoing) => {
    const { method, headers, url = "/" } = incoming;
    const options = { method, headers: { ...headers, authorization: `Bearer ${token()}` } };
    const forwarded = request(new URL(url, target()), options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
