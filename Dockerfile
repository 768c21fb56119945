# The service as an image: docker build -t cms .
FROM denoland/deno:2.9.6 AS build
WORKDIR /app
# Of the packages in the lock file only those that the service imports, and of them only what is read at run time.
ENV DENO_DIR=/deno-dir DENO_UNSTABLE_NPM_LAZY_CACHING=1
COPY . .
RUN deno cache --frozen main.ts routes/process/jobs_thread_worker.ts jobs/images/codec_worker.ts \
  && find /deno-dir/npm -type f -regex '.*\.\([cm]?ts\|map\|md\)' -delete \
  && find /deno-dir/npm -type f -path '*/fxa-common-password-list/*/source_data/*' -delete \
  && find /deno-dir/npm -type f -path '*/bintrees/*/test/*' -delete \
  && find /deno-dir/npm -type f -name registry.json -delete \
  && find /deno-dir/npm -type f -name '*_enc_mt*' -delete \
  && find /deno-dir/npm -type f -regex '.*/@modelcontextprotocol/sdk/[^/]*/dist/\(cjs\|esm/examples\)/.*' -delete \
  && find /deno-dir/npm -type f -path '*/hono/*/dist/cjs/*' -delete \
  && find /deno-dir/npm -type f -regex '.*/zip\.js/[^/]*/index[^/]*\.\(cjs\|min\.js\)' -delete \
  && find /deno-dir/npm -type f -regex '.*/csv-parse/[^/]*/dist/\(umd\|iife\)/.*' -delete \
  && find /deno-dir/npm -type f -regex '.*/zip\.js/[^/]*/dist/zip\(-\(fs\|core\|native\|legacy\)[^/]*\|\(\.min\)?\)\.js' -delete \
  && install -d -o 65532 -g 65532 /data

FROM denoland/deno:distroless-2.9.6
WORKDIR /app
ENV DENO_DIR=/deno-dir DENO_UNSTABLE_NPM_LAZY_CACHING=1 DENO_NO_UPDATE_CHECK=1 \
  DATA_DIR=/data HOST=0.0.0.0 PORT=8000
COPY --from=build /deno-dir /deno-dir
COPY --from=build /app /app
COPY --from=build --chown=65532:65532 /data /data
# Nobody of the base image; the root file system may be read-only, only /data is written.
USER 65532:65532
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s CMD ["/bin/deno", "eval", "Deno.exit((await fetch('http://127.0.0.1:8000/healthz')).ok ? 0 : 1)"]
# The service runs no programs, loads no libraries and writes nowhere else.
CMD ["run", "--no-prompt", "--allow-net", "--allow-env", "--allow-sys", "--allow-read=/app,/data,/deno-dir", "--allow-write=/data", "--frozen", "--cached-only", "--v8-flags=--max-semi-space-size=8,--max-old-space-size=1024,--no-parallel-scavenge", "main.ts", "start"]
