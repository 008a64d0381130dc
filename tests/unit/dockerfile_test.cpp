// SPDX-License-Identifier: MIT
// What a Dockerfile says about torch, Python and the hardware.
#include "config/dockerfile.h"

#include <gtest/gtest.h>

#include <string>

namespace vramlint::config {
namespace {

std::string shown(const std::vector<Statement>& statements) {
  std::string text;
  for (const Statement& each : statements) {
    text += (text.empty() ? "" : "; ") + each.specifier + " @" + std::to_string(each.line);
  }
  return text;
}

/// `torch | python | hardware`.
std::string said(const FileStatements& found) {
  constexpr const char* names[] = {"any", "cuda", "rocm", "jetson"};
  std::string platform;
  for (const PlatformStatement& each : found.platforms) {
    platform += (platform.empty() ? "" : " ") + std::string(names[static_cast<int>(each.platform)]);
  }
  return shown(found.torch) + " | " + shown(found.python) + " | " + platform;
}

std::string image(const std::string& name) {
  return said(statements_of_image(name, 1, knowledge::Knowledge::builtin()));
}

std::string file(const std::string& text) {
  return said(read_dockerfile(text, knowledge::Knowledge::builtin()));
}

TEST(BaseImages, TellTheirTorch) {
  EXPECT_EQ(image("pytorch/pytorch:2.4.1-cuda12.1-cudnn9-runtime"), "==2.4.1 @1 |  | cuda");
  EXPECT_EQ(image("docker.io/pytorch/pytorch:2.4.1-cuda12.1-cudnn9-devel@sha256:00"),
            "==2.4.1 @1 |  | cuda");
  EXPECT_EQ(image("registry.example.com:5000/pytorch/pytorch:1.13.1-cuda11.6-cudnn8-runtime"),
            "==1.13.1 @1 |  | cuda");
  EXPECT_EQ(image("nvcr.io/nvidia/pytorch:24.05-py3"), "==2.4 @1 |  | cuda");
  EXPECT_EQ(image("nvcr.io/nvidia/pytorch:22.12-py3"), "==2.0 @1 |  | cuda");
  EXPECT_EQ(image("nvcr.io/nvidia/pytorch:99.01-py3"), " |  | cuda");
  EXPECT_EQ(image("pytorch/pytorch:latest"), " |  | cuda");
  EXPECT_EQ(image("763104351884.dkr.ecr.us-east-1.amazonaws.com/"
                  "pytorch-training:2.3.0-gpu-py311-cu121-ubuntu20.04-sagemaker"),
            "==2.3.0 @1 | ==3.11 @1 | ");
  EXPECT_EQ(image("someone/pytorch:1.0.2"), " |  | ");
  EXPECT_EQ(image("intel/intel-extension-for-pytorch:2.1.10-xpu"), " |  | ");
}

TEST(BaseImages, TellTheirHardware) {
  EXPECT_EQ(image("rocm/pytorch:rocm6.4.4_ubuntu24.04_py3.12_pytorch_release_2.7.1"),
            "==2.7.1 @1 | ==3.12 @1 | rocm");
  EXPECT_EQ(image("rocm/pytorch:rocm6.1_ubuntu22.04_py3.10_pytorch_2.1.2"),
            "==2.1.2 @1 | ==3.10 @1 | rocm");
  EXPECT_EQ(image("rocm/dev-ubuntu-22.04:6.2"), " |  | rocm");
  EXPECT_EQ(image("nvcr.io/nvidia/l4t-pytorch:r35.2.1-pth2.0-py3"), "==2.0 @1 |  | jetson");
  EXPECT_EQ(image("nvcr.io/nvidia/l4t-ml:r36.2.0-py3"), " |  | jetson");
  EXPECT_EQ(image("dustynv/pytorch:2.7-r36.4.0"), "==2.7 @1 |  | jetson");
  EXPECT_EQ(image("dustynv/l4t-pytorch:r36.2.0"), " |  | jetson");
  EXPECT_EQ(image("nvidia/cuda:12.6.2-cudnn-devel-ubuntu24.04"), " |  | cuda");
}

TEST(BaseImages, TellTheirPython) {
  EXPECT_EQ(image("python:3.11-slim"), " | ==3.11 @1 | ");
  EXPECT_EQ(image("docker.io/library/python:3.10.4"), " | ==3.10.4 @1 | ");
  EXPECT_EQ(image("ghcr.io/astral-sh/uv:python3.12-bookworm-slim"), " | ==3.12 @1 | ");
  EXPECT_EQ(image("python:3"), " |  | ");
  EXPECT_EQ(image("python"), " |  | ");
}

TEST(Dockerfile, TakesItsVariables) {
  EXPECT_EQ(file("ARG BASE=pytorch/pytorch:2.4.1-cuda12.1-cudnn9-runtime\nFROM ${BASE}\n"),
            "==2.4.1 @2 |  | cuda");
  EXPECT_EQ(file("ARG YEAR=25\nARG MONTH=03\nFROM nvcr.io/nvidia/pytorch:$YEAR.${MONTH}-py3\n"),
            "==2.7 @3 |  | cuda");
  EXPECT_EQ(file("FROM python:${PY:-3.12}-slim AS run\n"), " | ==3.12 @1 | any");
  EXPECT_EQ(file("ARG TORCH=2.3.0\nFROM ubuntu:24.04\nARG TORCH\n"
                 "RUN pip install \"torch==${TORCH}\"\n"),
            "==2.3.0 @4 |  | any");
  EXPECT_EQ(file("ARG BASE\nFROM ${BASE}\n"), " |  | any");
  EXPECT_EQ(file("ARG A=$A$A$A$A\nENV A=x$A\nFROM $A\n"), " |  | any");
}

TEST(Dockerfile, ReadsWhatItInstalls) {
  EXPECT_EQ(file("FROM nvidia/cuda:12.6.2-devel-ubuntu24.04\nRUN apt-get update && \\\n"
                 "    # the framework\n    python3 -m pip install --no-cache-dir \\\n"
                 "      torch==2.3.0 \\\n      torchvision==0.18.0\n"),
            "==2.3.0 @5 |  | cuda");
  EXPECT_EQ(file("FROM ubuntu\nRUN pip install torch==2.4.0 "
                 "--index-url https://wheels.example/whl/rocm6.0\n"),
            "==2.4.0 @2 |  | rocm");
  EXPECT_EQ(file("FROM ubuntu\nRUN conda install -y pytorch=2.1 python=3.10 -c pytorch\n"),
            "==2.1.* @2 | ==3.10.* @2 | any");
  EXPECT_EQ(file("FROM ubuntu\nRUN uv pip install 'torch>=2.4,<2.6'; echo torch==1.0\n"),
            ">=2.4,<2.6 @2 |  | any");
  EXPECT_EQ(file("FROM ubuntu\nRUN <<EOF\nset -e\npip install torch==2.5.1\nEOF\nCMD [\"x\"]\n"),
            "==2.5.1 @4 |  | any");
  EXPECT_EQ(file("FROM ubuntu\nRUN echo pip\nRUN apt-get install torch==1.0\n"), " |  | any");
}

TEST(Dockerfile, TheLaterReplacesTheEarlier) {
  EXPECT_EQ(file("FROM nvcr.io/nvidia/pytorch:24.05-py3\nRUN pip install torch==2.6.0\n"),
            "==2.6.0 @2 |  | cuda");
  EXPECT_EQ(file("FROM ubuntu\nRUN if x; then pip install torch==2.1.0; "
                 "else pip install torch==2.2.0; fi\n"),
            "==2.1.0 @2; ==2.2.0 @2 |  | any");
}

TEST(Dockerfile, TheLastStageSpeaks) {
  const std::string base = "FROM pytorch/pytorch:2.4.1-cuda12.1-cudnn9-devel AS base\n";
  EXPECT_EQ(file(base + "FROM base AS run\nRUN true\n"), "==2.4.1 @1 |  | cuda");
  EXPECT_EQ(file("FROM python:3.9 AS build\n" + base), "==2.4.1 @2 | ==3.9 @1 | cuda");
  EXPECT_EQ(file("FROM python:3.10 AS build\nRUN pip install torch==2.2.0\n"
                 "FROM nvidia/cuda:12.1.0-base-ubuntu22.04\nCOPY --from=build /venv /venv\n"),
            "==2.2.0 @2 | ==3.10 @1 | cuda");
  EXPECT_EQ(file("FROM --platform=linux/amd64 python:3.11\n"), " | ==3.11 @1 | any");
}

}  // namespace
}  // namespace vramlint::config
