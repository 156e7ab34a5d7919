import { defineConfig } from "vitest/config";

const server = process.env.SHUANGLU_SERVER ?? "http://127.0.0.1:8000";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    target: "es2022",
    // One style sheet and few scripts: a slow phone pays for every request, not only for bytes.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: {
    host: "127.0.0.1",
    // The page asks its own host for everything; in development the game server stands behind it.
    proxy: {
      "/api": { target: server },
      "/ws": { target: server, ws: true },
    },
  },
  test: {
    include: ["src/**/*.test.{ts,tsx}"],
    environment: "happy-dom",
  },
});
