# docker build -t taut .
# docker run --rm -v "$PWD:/work" taut run mamidi-pick-and-place -o run.nc
# docker run --rm --network host -v "$PWD:/work" taut view my-robot.yaml --no-open --port 8080   (the studio, on Linux)
FROM python:3.12-slim
WORKDIR /src
COPY pyproject.toml README.md LICENSE THIRD_PARTY.md ./
COPY src src
RUN pip install --no-cache-dir ".[studies,view]"
ENV NUMBA_CACHE_DIR=/var/cache/taut MPLBACKEND=Agg
RUN taut compile
WORKDIR /work
ENTRYPOINT ["taut"]
