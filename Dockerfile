# Build and run: docker build -t sgemm . && docker run --rm -it sgemm
# With a GPU: docker run --rm -it --gpus all sgemm
# With NVIDIA's toolkit, and so with cuBLAS:
#     docker build --build-arg BASE=nvidia/cuda:13.0.2-devel-ubuntu24.04 -t sgemm .
ARG BASE=debian:13
FROM $BASE AS tools
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility
COPY tools/setup.sh /opt/tools/
RUN apt-get update && apt-get install -y --no-install-recommends git $(/opt/tools/setup.sh packages)
FROM tools
COPY . /sgemm
WORKDIR /sgemm
RUN tools/setup.sh run && make -j"$(nproc)" PORTABLE=1
CMD ["./run_all.sh", "--quick"]
