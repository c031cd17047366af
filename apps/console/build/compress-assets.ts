import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const compressible = /\.(?:css|js|svg)$/;

/** Writes a gzip and a brotli variant beside each text file of a build, so that the server compresses nothing. */
export function compressAssets(): Plugin {
  return {
    name: "compress-assets",
    apply: "build",
    writeBundle: ({ dir }) => {
      const folder = join(dir ?? "", "assets");
      for (const name of readdirSync(folder).filter((one) => compressible.test(one))) {
        const path = join(folder, name);
        const bytes = readFileSync(path);
        const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        const variants = {
          br: brotliCompressSync(bytes, { params: quality }),
          gz: gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
        };
        for (const [suffix, variant] of Object.entries(variants)) {
          if (variant.length < bytes.length) writeFileSync(`${path}.${suffix}`, variant);
        }
      }
    },
  };
}
