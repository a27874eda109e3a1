# The app with its model: docker build -t embtools . && docker run --rm -p 8501:8501 --read-only --tmpfs /tmp embtools
FROM python:3.11-slim-bookworm AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements.txt requirements-cpu.txt /build/
RUN python -m venv /opt/venv && /opt/venv/bin/pip install -r /build/requirements-cpu.txt redis==8.1.0

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin embtools
COPY --from=packages /opt/venv /opt/venv
WORKDIR /app
COPY . .
# Compiled here, because nothing can be written while the app runs.
RUN /opt/venv/bin/python -m compileall -q app.py pages embtools
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/tmp \
    EMBTOOLS_MODELS=bundled \
    EMBTOOLS_OFFLINE=1 \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_PORT=8501 \
    STREAMLIT_SERVER_HEADLESS=true
USER 10001
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["python", "deploy/healthcheck.py"]
CMD ["streamlit", "run", "app.py"]
