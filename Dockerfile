# The service and its command. docs/operating.md describes how to run it.
FROM node:24-bookworm-slim
WORKDIR /app
COPY package.json package-lock.json ./
# The package `node` is for machines with an older Node; the image has its own.
RUN npm ci --omit=dev && npm cache clean --force && rm -r node_modules/node node_modules/.bin/node
COPY specs ./specs
COPY generator ./generator
COPY templates ./templates
COPY service ./service
RUN mkdir /data && chown node:node /data
USER node
ENV PATH=/app/service/cli:$PATH SVC_DATA_DIR=/data SVC_HOST=0.0.0.0 SVC_METRICS_HOST=0.0.0.0
VOLUME /data
EXPOSE 8080 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/app/service/cli/svc"]
CMD ["serve"]
