# SPDX-License-Identifier: MIT
cuda = "13.0"
hip = None
