# Assay with k6, as a user without rights. Built from the packed package:
#   npm ci && npm pack && docker build -t assay .
FROM golang:1.26-bookworm AS k6
RUN CGO_ENABLED=0 go install go.k6.io/k6@v1.8.1

FROM node:24-bookworm-slim
COPY --from=k6 /go/bin/k6 /usr/local/bin/k6
COPY assay-*.tgz /tmp/assay.tgz
RUN npm install --global --omit=dev --ignore-scripts /tmp/assay.tgz && rm /tmp/assay.tgz \
 && mkdir /work && chown node:node /work
USER node
WORKDIR /work
ENTRYPOINT ["assay"]
CMD ["--help"]
